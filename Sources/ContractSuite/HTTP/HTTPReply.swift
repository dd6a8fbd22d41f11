/// A complete HTTP reply.
struct HTTPReply: Sendable, Equatable {
    var status: Int
    /// In the order received; values without white space around them, bytes above 127 read as Latin-1.
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    /// The values of a header, in order; names are compared without regard to case.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    static func == (left: HTTPReply, right: HTTPReply) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

/// Why there is no reply.
enum HTTPFailure: Error, Equatable, CustomStringConvertible {
    case cannotResolve(String)
    case cannotConnect(String)
    case timedOut
    case closedWithoutReply
    case malformed(String)

    var description: String {
        switch self {
        case .cannotResolve(let host): "the host \(host) is not known"
        case .cannotConnect(let why): "cannot connect: \(why)"
        case .timedOut: "no complete reply in time"
        case .closedWithoutReply: "the connection was closed without a reply"
        case .malformed(let what): "not an HTTP reply: \(what)"
        }
    }
}
