/// One of the numbered files that bring existing tables up to date.
public struct UpgradeFile: Sendable {
    /// The number that its name begins with; files are applied in its order.
    public let number: Int
    /// The file's name.
    public let name: String
    /// What its first line says after the number.
    public let title: String
    /// What its header says next: what the file does, what it locks and for how long; a line each.
    public let details: [String]
    /// Its statements.
    let statements: [String]

    /// Whether it is the one that stops at names of several accounts.
    var makesNamesUnique: Bool { name.hasSuffix("-unique-username.sql") }

    /// Takes a file apart.
    ///
    /// - Parameter name: such as `001-innodb-utf8mb4.sql`.
    /// - Returns: nil if the name is not a number, a hyphen and more, with `.sql` at the end.
    public init?(name: String, content: some Sequence<UInt8>) {
        guard name.hasSuffix(".sql"), let hyphen = name.firstIndex(of: "-"), let number = Int(name[..<hyphen]) else {
            return nil
        }
        let text = String(decoding: Array(content), as: UTF8.self)
        let header = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("--") }
            .map { $0.dropFirst(2).hasPrefix(" ") ? String($0.dropFirst(3)) : String($0.dropFirst(2)) }
        let paragraphs = header.split(separator: "")
        self.number = number
        self.name = name
        title = (paragraphs.first?.first).map { String($0.drop { $0.isNumber || $0 == ":" || $0 == " " }) } ?? name
        details = paragraphs.dropFirst().first.map(Array.init) ?? []
        statements = SQLScript(text).statements
    }
}
