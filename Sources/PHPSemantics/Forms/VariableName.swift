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
    /// name that begins with `__Host-` or `__Secure-` only because of that is dropped, so that no cookie can be mistaken
    /// for one with such a prefix.
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
        let isPlain = end == name.count || Self.closingBracket(in: name, after: end) == nil
        if end == 0 || Self.imitatesPrefix(name[..<end], sent: sent) {
            self = .dropped
        } else if isPlain {
            for index in end..<name.count { name[index] = Self.underscored(name[index]) }
            self = Self.imitatesPrefix(name[...], sent: sent) ? .dropped : .scalar(name)
        } else {
            let base = Array(name[..<end])
            self = Self.isTooDeep(name[end...], sent: sent, nestingLevels) ? .tooDeep(base) : .array(base)
        }
    }

    /// Whether PHP gets so deep into the brackets that it gives up; a key with a prefix stops it before.
    private static func isTooDeep(_ brackets: ArraySlice<UInt8>, sent: ArraySlice<UInt8>, _ nestingLevels: Int) -> Bool
    {
        var rest = brackets
        var levels = 0
        var isStopped = false
        while rest.first == ASCII.openBracket {
            levels += 1
            guard levels <= nestingLevels else { return true }
            guard !isStopped, let closing = rest.firstIndex(of: ASCII.closeBracket) else { return false }
            isStopped = imitatesPrefix(rest[(rest.startIndex + 1)..<closing], sent: sent)
            rest = rest[(closing + 1)...]
        }
        return false
    }

    private static func closingBracket(in name: [UInt8], after opening: Int) -> Int? {
        name[(opening + 1)...].firstIndex(of: ASCII.closeBracket)
    }

    private static func underscored(_ byte: UInt8) -> UInt8 {
        byte == ASCII.space || byte == ASCII.dot || byte == ASCII.openBracket ? ASCII.underscore : byte
    }

    private static func imitatesPrefix(_ name: ArraySlice<UInt8>, sent: ArraySlice<UInt8>) -> Bool {
        guard name.first == ASCII.underscore else { return false }
        return ["__Host-", "__Secure-"].contains { prefix in
            name.starts(with: prefix.utf8) && !sent.starts(with: prefix.utf8)
        }
    }
}
