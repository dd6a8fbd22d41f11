/// A parameter of a statement; it travels apart from the SQL text, so it needs no escaping.
public enum SQLValue: Sendable, Equatable {
    /// SQL's NULL.
    case null
    /// A signed number.
    case integer(Int64)
    /// A string in the connection's character set, which the server converts to the column's.
    case text([UInt8])
    /// Bytes without a character set, which the server does not convert; for columns of bytes.
    case binary([UInt8])

    /// A string given as Swift text, in UTF-8.
    public static func text(_ string: String) -> Self { .text(Array(string.utf8)) }
}
