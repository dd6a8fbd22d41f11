/// What PHP makes of the name of a field, a cookie or a file.
enum VariableName: Equatable {
    /// A plain name; its value is a string.
    case scalar([UInt8])
    /// A name with brackets; its value is an array.
    case array([UInt8])
    /// A name with more pairs of brackets than allowed; PHP removes what has the name before the brackets.
    case tooDeep([UInt8])
    /// No name is left; the value goes nowhere.
    case dropped

    /// Applies the rules of `php_register_variable_ex` to a decoded name.
    ///
    /// The name ends at a NUL, loses leading spaces, and has `_` for its spaces and dots up to the first bracket. An
    /// opening bracket that is never closed is a `_` as well, and so are the spaces, dots and brackets after it. A
    /// name that begins with `__Host-` or `__Secure-` only because of that is dropped.
    init(_ rawName: [UInt8], nestingLevels: Int) {
        let sent = rawName.prefix { $0 != ASCII.nul }.drop { $0 == ASCII.space }
        var name: [UInt8] = []
        name.reserveCapacity(sent.count)
        name.append(contentsOf: sent)
        var end = 0
        while end < name.count, name[end] != ASCII.openBracket {
            name[end] = Self.underscored(name[end])
            end += 1
        }
        guard end > 0, !Self.imitatesPrefix(name[..<end], sent: sent) else {
            self = .dropped
            return
        }
        guard end < name.count else {
            self = .scalar(name)
            return
        }
        guard Self.closingBracket(in: name, after: end) != nil else {
            for index in end..<name.count { name[index] = Self.underscored(name[index]) }
            self = .scalar(name)
            return
        }
        var levels = 0
        var index = end
        while index < name.count, name[index] == ASCII.openBracket {
            levels += 1
            guard levels <= nestingLevels else {
                self = .tooDeep(Array(name[..<end]))
                return
            }
            guard let closing = Self.closingBracket(in: name, after: index) else { break }
            index = closing + 1
        }
        self = .array(Array(name[..<end]))
    }

    private static func closingBracket(in name: [UInt8], after opening: Int) -> Int? {
        name[(opening + 1)...].firstIndex(of: ASCII.closeBracket)
    }

    private static func underscored(_ byte: UInt8) -> UInt8 {
        byte == ASCII.space || byte == ASCII.dot || byte == ASCII.openBracket ? ASCII.underscore : byte
    }

    private static func imitatesPrefix(_ name: ArraySlice<UInt8>, sent: ArraySlice<UInt8>) -> Bool {
        guard name.count > 2, name[0] == ASCII.underscore, name[1] == ASCII.underscore else { return false }
        return ["__Host-", "__Secure-"].contains { prefix in
            name.starts(with: prefix.utf8) && !sent.starts(with: prefix.utf8)
        }
    }
}
