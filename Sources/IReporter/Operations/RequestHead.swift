internal import FastCGI

/// What the access log says of a request's head.
struct RequestHead: Sendable {
    /// Request method, such as `POST`.
    var method: [UInt8] = []
    /// The URI as the client sent it, query string included.
    var uri: [UInt8] = []
    /// Such as `HTTP/1.1`.
    var version: [UInt8] = []
    /// The user that the web server has authenticated; usually nobody.
    var user: [UInt8] = []
    /// The page the client came from.
    var referrer: [UInt8] = []
    /// The client's program.
    var agent: [UInt8] = []

    /// A head that says nothing.
    init() {}

    /// Copies what is needed of a request.
    init(_ request: borrowing Request) {
        method = request.parameter("REQUEST_METHOD") ?? []
        uri = request.parameter("REQUEST_URI") ?? request.parameter("SCRIPT_NAME") ?? []
        version = request.parameter("SERVER_PROTOCOL") ?? []
        user = request.parameter("REMOTE_USER") ?? []
        referrer = request.parameter("HTTP_REFERER") ?? []
        agent = request.parameter("HTTP_USER_AGENT") ?? []
    }
}
