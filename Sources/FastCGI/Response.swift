/// A complete reply to one request: CGI header fields and a body.
///
/// `Content-Length` is added when the reply is written, so the body's length is always told.
public struct Response: Sendable, Equatable {
    /// Header fields, each `Name: value` ended by CR LF, without the empty line that ends the head.
    public var head: [UInt8]
    /// The body's bytes; may be empty.
    public var body: [UInt8]

    /// Makes a reply.
    ///
    /// - Parameters:
    ///   - head: header fields, each ended by CR LF.
    ///   - body: the body's bytes.
    public init(head: [UInt8], body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The `Content-Length` field and the empty line that end this reply's head.
    var headEnd: [UInt8] {
        var bytes = Array("Content-Length: ".utf8)
        var digits: [UInt8] = []
        var rest = body.count
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes.append(contentsOf: digits.reversed())
        bytes.append(contentsOf: [13, 10, 13, 10])
        return bytes
    }
}
