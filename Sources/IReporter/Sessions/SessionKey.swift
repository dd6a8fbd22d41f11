internal import PHPSemantics

/// What the database knows a session by: the SHA-256 of its id, so that whoever reads the table, a backup or a log of
/// statements can be nobody's user.
struct SessionKey: Hashable, Sendable {
    /// The 32 bytes.
    let bytes: [UInt8]

    /// The key of a session.
    init(_ id: SessionID) {
        bytes = SHA256.digest(id.bytes)
    }

    /// A key as the table holds it; nil unless it has the length of one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else {
            return nil
        }
        self.bytes = bytes
    }

    /// The key as a literal in SQL text: hexadecimal digits, and so harmless there.
    var literal: String {
        let digits = Array("0123456789ABCDEF".utf8)
        return "X'" + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
            + "'"
    }
}
