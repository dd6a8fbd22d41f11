/// A row of `login` as its queries give it.
struct AccountRow {
    let id: Int64
    let username: [UInt8]
    /// The password's column as text of the connection; its bytes if the connection cannot say it all.
    let text: [UInt8]
    /// Its bytes.
    let bytes: [UInt8]

    /// Takes the columns `IdUser, username, pass, CAST(pass AS BINARY)`; nil if one of them is NULL,
    /// which is nobody's password.
    init?(_ columns: [[UInt8]?]) {
        guard let id = columns[0].flatMap({ Int64(decimal: $0) }), let username = columns[1], let text = columns[2],
            let bytes = columns[3]
        else {
            return nil
        }
        self.id = id
        self.username = username
        // The server puts question marks in the place of characters that the connection's character set lacks.
        self.text = Self.questionMarks(in: text) > Self.questionMarks(in: bytes) ? bytes : text
        self.bytes = bytes
    }

    private static func questionMarks(in text: [UInt8]) -> Int {
        text.count { $0 == UInt8(ascii: "?") }
    }
}
