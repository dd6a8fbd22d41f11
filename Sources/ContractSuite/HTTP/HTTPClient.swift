import Glibc

/// An HTTP/1.1 client that sends exactly the bytes it is given and reads one reply.
struct HTTPClient {
    /// A connection that may serve another request, with bytes received beyond the last reply.
    private var kept: TCPConnection?

    let url: ContractURL
    /// How long one request may take from connecting to the last byte of the reply.
    let timeout: Duration

    init(url: ContractURL, timeout: Duration) {
        self.url = url
        self.timeout = timeout
    }

    /// Sends the request's bytes as it wants them delivered, and reads the reply.
    mutating func exchange(_ wire: WireRequest) throws(HTTPFailure) -> HTTPReply {
        let deadline = ContinuousClock.now + timeout
        let connection: TCPConnection
        if wire.keepsConnection, let kept {
            connection = kept
        } else {
            connection = try TCPConnection(host: url.host, port: url.port, deadline: deadline)
        }
        kept = nil
        try HTTPClient.send(wire, over: connection, deadline: deadline)
        let (reply, reusable) = try HTTPClient.receive(wire, over: connection, deadline: deadline)
        if wire.keepsConnection && reusable { kept = connection }
        return reply
    }

    /// Sends copies of a request over as many connections at once, then reads the replies.
    func exchange(_ wire: WireRequest, copies: Int) throws(HTTPFailure) -> [HTTPReply] {
        let deadline = ContinuousClock.now + timeout
        var connections: [TCPConnection] = []
        for _ in 0..<copies {
            connections.append(try TCPConnection(host: url.host, port: url.port, deadline: deadline))
        }
        for connection in connections {
            try HTTPClient.send(wire, over: connection, deadline: deadline)
        }
        var replies: [HTTPReply] = []
        for connection in connections {
            replies.append(try HTTPClient.receive(wire, over: connection, deadline: deadline).reply)
        }
        return replies
    }

    private static func send(
        _ wire: WireRequest,
        over connection: TCPConnection,
        deadline: ContinuousClock.Instant
    ) throws(HTTPFailure) {
        for (index, piece) in wire.pieces.enumerated() {
            if index > 0 { usleep(UInt32(wire.pauseMilliseconds) * 1000) }
            try connection.send(piece, deadline: deadline)
        }
        if wire.closesAfterSending { connection.finishSending() }
    }

    private static func receive(
        _ wire: WireRequest,
        over connection: TCPConnection,
        deadline: ContinuousClock.Instant
    ) throws(HTTPFailure) -> (reply: HTTPReply, reusable: Bool) {
        let parser = ReplyParser(method: wire.method)
        var received: [UInt8] = []
        while true {
            let bytes = try connection.receive(deadline: deadline)
            received += bytes
            if case .complete(let reply, let length, let reusable) = try parser.parse(received, atEnd: bytes.isEmpty) {
                return (reply, reusable && length == received.count)
            }
            guard !bytes.isEmpty else {
                throw received.isEmpty ? .closedWithoutReply : .malformed("it ends in the middle")
            }
        }
    }
}
