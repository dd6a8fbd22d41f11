/// A value of a session, without what is inside arrays and objects.
public enum PHPValue: Sendable, Equatable {
    /// `N;`
    case null
    /// `b:1;`
    case bool(Bool)
    /// `i:13;`
    case int(Int64)
    /// `d:0.5;`
    case double(Double)
    /// `s:2:"13";`, without quotes.
    case string([UInt8])
    /// `a:2:{…}`, with its number of elements.
    case array(count: Int)
    /// `O:…`, `C:…` or `E:…`.
    case object

    /// Whether PHP counts the value as true: not null, false, zero, `""`, `"0"` and the empty array.
    public var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .int(let value): value != 0
        case .double(let value): value != 0
        case .string(let bytes): phpTruthy(bytes)
        case .array(let count): count > 0
        case .object: true
        }
    }
}
