/// A session's id, which is part of a file name.
public struct SessionID: Sendable, Hashable {
    /// The id's characters: `A–Z a–z 0–9 , -`, 1 to 256 of them.
    public let bytes: [UInt8]

    /// Accepts what PHP's file store accepts, and nothing that could leave the session directory.
    /// - Parameter bytes: a cookie's value, as the client sent it.
    public init?(_ bytes: some Collection<UInt8>) {
        self.init(Array(bytes))
    }

    /// Accepts what the initializer for collections does.
    /// - Parameter bytes: a cookie's value, as the client sent it.
    public init?(_ bytes: [UInt8]) {
        guard (1...256).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        self.bytes = bytes
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), ASCII.comma, ASCII.minus:
            true
        default: false
        }
    }
}

extension SessionID: CustomStringConvertible {
    /// The id as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
