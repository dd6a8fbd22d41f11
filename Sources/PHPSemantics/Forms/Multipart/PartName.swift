/// The name of a part, in the form in which PHP compares names of files with names of fields.
struct PartName: Equatable {
    /// The name as PHP's `normalize_protected_variable` leaves it: without leading spaces, with `_` for spaces and dots
    /// before the first bracket, without white space after opening brackets, and ending after the last bracket.
    let normalized: [UInt8]
    private let isBalanced: Bool

    /// - Parameter name: the name as sent.
    init(_ name: [UInt8]) {
        isBalanced = Self.isBalanced(name)
        var index = name.firstIndex { $0 != ASCII.space } ?? name.endIndex
        var normalized: [UInt8] = []
        normalized.reserveCapacity(name.count + 10)
        while index < name.count, name[index] != ASCII.openBracket {
            let byte = name[index]
            normalized.append(byte == ASCII.space || byte == ASCII.dot ? ASCII.underscore : byte)
            index += 1
        }
        let white: Set<UInt8> = [ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed]
        while index < name.count, name[index] == ASCII.openBracket {
            normalized.append(ASCII.openBracket)
            index += 1
            while index < name.count, white.contains(name[index]) { index += 1 }
            let end = name[index...].firstIndex(of: ASCII.closeBracket).map { $0 + 1 } ?? name.endIndex
            normalized.append(contentsOf: name[index..<end])
            index = end
        }
        self.normalized = normalized
    }

    /// Whether PHP takes a file of this name: brackets are closed, and nothing but brackets follows them.
    var mayBeFile: Bool { isBalanced }

    /// Whether the name has brackets.
    var hasBrackets: Bool { normalized.contains(ASCII.openBracket) }

    /// Both names that PHP protects from being set by fields once a file has this name.
    var protected: [[UInt8]] {
        let base = normalized.prefix { $0 != ASCII.openBracket }
        return [normalized, Array(base + "[tmp_name]".utf8 + normalized[base.endIndex...])]
    }

    private static func isBalanced(_ name: [UInt8]) -> Bool {
        var open = 0
        for (index, byte) in name.enumerated() {
            if byte == ASCII.openBracket {
                open += 1
            } else if byte == ASCII.closeBracket {
                open -= 1
                if index + 1 < name.count, name[index + 1] != ASCII.openBracket { return false }
            }
            if open < 0 { return false }
        }
        return open == 0
    }
}
