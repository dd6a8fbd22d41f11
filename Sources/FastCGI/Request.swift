/// One request while it is being read: its parameters and its body.
///
/// Valid only inside `Application.receive`; nothing of it outlives the call except what is copied out.
public struct Request: ~Copyable {
    private let thread: ServingThread

    init(_ thread: ServingThread) {
        self.thread = thread
    }

    /// Says that what follows may wait: for a database, a disk, a lock or another process.
    ///
    /// If nobody else is left to look for requests, a thread that rests does so as long as this one is at work. Costs
    /// next to nothing, and may be said again.
    public func willWait() {
        thread.turn.yield()
    }

    /// The bytes of a FastCGI parameter, such as `REQUEST_METHOD` or `HTTP_COOKIE`; nil if there is none.
    public func parameter(_ name: StaticString) -> [UInt8]? {
        thread.reader.parameter(name)
    }

    /// All values of a parameter that may occur more than once, in their order.
    public func parameters(_ name: StaticString) -> [[UInt8]] {
        thread.reader.parameters(name)
    }

    /// The body's length as the web server tells it (`CONTENT_LENGTH`); nil if it tells none or no number.
    public var contentLength: Int? {
        guard let digits = thread.reader.parameter("CONTENT_LENGTH"), !digits.isEmpty, digits.count <= 15 else {
            return nil
        }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else {
                return nil
            }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    /// Shorter bodies come along with the request's head: the web server has them whole, and a socket's buffer takes
    /// as much.
    private static let promptBytes = 131_072

    /// Reads the body to its end, handing over its bytes piece by piece.
    ///
    /// - Parameter receive: is given each piece, at most 64 KiB; returns false to have the rest read and dropped.
    /// - Returns: true if the whole body came: the connection did not fail, and there were as many bytes as the
    ///   web server had announced.
    public func readBody(_ receive: (Span<UInt8>) -> Bool) -> Bool {
        let announced = contentLength
        if announced ?? .max > Self.promptBytes {
            willWait()
        }
        var total = 0
        var isWanted = true
        while let piece = thread.reader.nextBodyPiece() {
            total += piece.count
            isWanted = isWanted && piece.lend(receive)
        }
        return thread.reader.isWhole && (announced == nil || announced == total)
    }
}
