/// What the log says of one request: who, what, how it ended, and how long it took.
///
/// Never a password, a session's id, or what a file holds.
struct LogEntry {
    private let command: String
    private let who: String
    private let start = ContinuousClock.now

    /// Begins an entry about a command of a visitor.
    ///
    /// - Parameter account: the name that the client gave.
    init(_ command: String, _ visitor: Visitor, account: [UInt8]) {
        self.command = command
        // Names are the client's own text: quoted, cut, and freed of control characters by the log. A backslash is
        // doubled, so that no name looks like what another one is escaped to.
        var name: [UInt8] = []
        for byte in account.prefix(64) {
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") {
                name.append(UInt8(ascii: "\\"))
            }
            name.append(byte)
        }
        who = "\(String(decoding: visitor.address, as: UTF8.self)) \"\(String(decoding: name, as: UTF8.self))\""
    }

    /// Begins an entry about a command of a visitor who is logged in; the number is not in quotes as a name is.
    init(_ command: String, _ visitor: Visitor, user: Int64) {
        self.command = command
        who = "\(String(decoding: visitor.address, as: UTF8.self)) user \(user)"
    }

    /// Writes the entry.
    func write(_ outcome: String) {
        let taken = ContinuousClock.now - start
        let milliseconds = taken.components.seconds * 1000 + taken.components.attoseconds / 1_000_000_000_000_000
        Log.write("\(command) \(who): \(outcome) (\(milliseconds) ms)")
    }
}
