/// The name of a part that is a file.
struct PartName {
    private let sent: [UInt8]

    /// - Parameter sent: the name as sent.
    init(_ sent: [UInt8]) {
        self.sent = sent
    }

    /// Whether PHP takes a file of this name: brackets are closed, and nothing but brackets follows them.
    var isAcceptable: Bool {
        var open = 0
        for (index, byte) in sent.enumerated() {
            if byte == ASCII.openBracket {
                open += 1
            } else if byte == ASCII.closeBracket {
                open -= 1
                if index + 1 < sent.count, sent[index + 1] != ASCII.openBracket { return false }
            }
            if open < 0 { return false }
        }
        return open == 0
    }

    /// Whether the name has brackets.
    var isArray: Bool { sent.contains(ASCII.openBracket) }

    /// The key in `$_FILES`, or an empty one if it gets none.
    func key(limits: FormLimits) -> [UInt8] {
        guard sent.count <= limits.nameBytes else { return [] }
        let base = sent.prefix { $0 != ASCII.openBracket }
        // PHP replaces spaces and dots beforehand, so that no name seems to imitate a prefix, and puts `[error]` and the
        // like between the name and its brackets.
        let key = base.drop { $0 == ASCII.space }.map { $0 == ASCII.space || $0 == ASCII.dot ? ASCII.underscore : $0 }
        let name = key + Array("[error]".utf8) + sent[base.endIndex...]
        switch VariableName(name, nestingLevels: limits.nestingLevels) {
        case .scalar(let name), .array(let name): return name
        case .tooDeep, .dropped: return []
        }
    }
}
