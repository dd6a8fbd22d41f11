/// The top level of PHP's `$_POST`: names with strings or arrays.
///
/// What is inside arrays is not kept.
struct FormFields: Sendable, Equatable {
    /// What a name may have.
    enum Value: Sendable, Equatable {
        /// A plain value.
        case string([UInt8])
        /// An array of whatever.
        case array
        /// Nothing any more.
        case removed

        /// 1 if `$_POST` has an entry for it, else 0.
        var entries: Int {
            if case .removed = self { 0 } else { 1 }
        }
    }

    /// A name with what it has.
    struct Field: Sendable, Equatable {
        let name: [UInt8]
        var value: Value
    }

    /// From this many names on they are looked up by hash, so that a thousand of them cost no million comparisons.
    private static let fewNames = 16

    /// The names in the order in which they came first.
    private(set) var fields: [Field] = []
    private var positions: [[UInt8]: Int] = [:]
    private var entries = 0

    /// Whether no name has a value.
    var isEmpty: Bool { entries == 0 }

    /// The string of that name, or nil if there is none or an array.
    func string(_ name: String) -> [UInt8]? {
        let wanted = name.utf8.span
        for field in fields where field.name.span.equals(wanted) {
            if case .string(let value) = field.value { return value }
            return nil
        }
        return nil
    }

    /// Does what PHP's `php_register_variable_ex` does to the array's top level.
    /// - Parameters:
    ///   - rawName: the name as sent, decoded.
    ///   - value: the value, decoded.
    ///   - nestingLevels: how many pairs of brackets a name may have; one with more removes what has that name.
    mutating func register(_ rawName: [UInt8], _ value: [UInt8], nestingLevels: Int) {
        switch VariableName(rawName, nestingLevels: nestingLevels) {
        case .scalar(let name): set(name, .string(value))
        case .array(let name): set(name, .array)
        case .tooDeep(let name): set(name, .removed)
        case .dropped: break
        }
    }

    private mutating func set(_ name: [UInt8], _ value: Value) {
        if let position = position(of: name) {
            entries += value.entries - fields[position].value.entries
            fields[position].value = value
            return
        }
        fields.append(Field(name: name, value: value))
        entries += value.entries
        if fields.count == Self.fewNames {
            for (position, field) in fields.enumerated() { positions[field.name] = position }
        } else if fields.count > Self.fewNames {
            positions[name] = fields.count - 1
        }
    }

    private func position(of name: [UInt8]) -> Int? {
        fields.count < Self.fewNames ? fields.firstIndex { $0.name == name } : positions[name]
    }
}
