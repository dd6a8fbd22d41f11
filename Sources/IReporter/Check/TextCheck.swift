internal import MariaDB
internal import PHPSemantics

/// Whether names and titles reach the clients as what their users wrote.
struct TextCheck {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func findings() throws(DatabaseError) -> [Finding] {
        // As the commands read them: through the connection's character set.
        let samples: [(String, [[UInt8]])] = [
            (
                "photos.title",
                try texts("SELECT title FROM (SELECT title FROM photos ORDER BY IdPhoto DESC LIMIT 2000) AS newest")
            ),
            (
                "login.username",
                try texts("SELECT username FROM (SELECT username FROM login ORDER BY IdUser DESC LIMIT 2000) AS newest")
            ),
        ]
        return samples.flatMap { Self.judge($0.0, $0.1) }
    }

    /// What is wrong with some texts of a column.
    static func judge(_ column: String, _ texts: [[UInt8]]) -> [Finding] {
        let invalid = texts.count { !isUTF8($0) }
        let mangled = texts.count { isMangled($0) }
        if invalid > 0 {
            return [
                .problem(
                    "\(column): \(invalid) of the newest \(texts.count) are no UTF-8; clients see U+FFFD in them",
                    "set IREPORTER_DB_CHARSET=utf8mb4, which converts them on the way, or ireporter migrate"
                )
            ]
        }
        if mangled > 0 {
            return [
                .problem(
                    "\(column): \(mangled) of the newest \(texts.count) reach clients mangled, as in \"Ã¼\" for \"ü\"",
                    "set IREPORTER_DB_CHARSET=latin1, as PHP had it, or ireporter migrate, which repairs them"
                )
            ]
        }
        return [.fine("\(column): the newest \(texts.count) reach clients as UTF-8")]
    }

    private func texts(_ sql: StaticString) throws(DatabaseError) -> [[UInt8]] {
        try database.rows(sql).compactMap { $0[0] }
    }

    private static func isUTF8(_ text: [UInt8]) -> Bool {
        String(validating: text, as: UTF8.self) != nil
    }

    /// Whether a text is UTF-8 that somebody took for Windows-1252, MariaDB's `latin1`, and encoded once more.
    static func isMangled(_ text: [UInt8]) -> Bool {
        guard text.contains(where: { $0 >= 0x80 }), let decoded = String(validating: text, as: UTF8.self) else {
            return false
        }
        var original: [UInt8] = []
        for scalar in decoded.unicodeScalars {
            if scalar.value < 0x100 {
                original.append(UInt8(scalar.value))
            } else if let index = windows.firstIndex(of: scalar) {
                original.append(UInt8(0x80 + index))
            } else {
                return false
            }
        }
        return isUTF8(original)
    }

    /// Windows-1252 from 0x80 to 0x9F; U+0000 where it has nothing.
    private static let windows = Array(
        "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ".unicodeScalars
    )
}
