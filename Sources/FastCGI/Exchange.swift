internal import CLinux
internal import Glibc

/// A request that was read, as far as its reply is concerned.
///
/// Whoever has it owns the connection.
struct Exchange: Sendable {
    /// The connection that the request came on.
    let connection: Int32
    /// The request's identifier on its connection.
    let requestID: UInt16
    /// Whether the web server wants to go on using the connection.
    let keepsConnection: Bool
    /// Whether more was read than the request.
    ///
    /// The web server has sent what it may send only after the reply, and has to begin anew.
    let hasSurplus: Bool

    /// True if the web server has given the request up: it closes the connection when its client leaves.
    ///
    /// - Parameter afterShutdown: whether we may have shut the receiving side ourselves, which then says nothing.
    func isAbandoned(afterShutdown: Bool) -> Bool {
        var poll = pollfd(fd: connection, events: afterShutdown ? 0 : Int16(POLLRDHUP), revents: 0)
        // That both sides are shut is told without being asked for.
        return unsafe Glibc.poll(&poll, 1, 0) > 0
    }

    /// Writes the reply.
    ///
    /// - Parameters:
    ///   - response: the reply.
    ///   - closing: close the connection afterwards even if the web server asked to keep it.
    ///   - buffer: scratch space, reused from reply to reply.
    /// - Returns: whether the connection goes on; to be closed otherwise.
    func finish(_ response: Response, closing: Bool, buffer: inout [UInt8]) -> Bool {
        let keep = keepsConnection && !closing && !hasSurplus
        buffer.removeAll(keepingCapacity: true)
        RecordEncoder.appendReply(
            [response.head, response.headEnd, response.body],
            requestID: requestID,
            to: &buffer
        )
        if keepsConnection && !keep {
            RecordEncoder.appendFarewell(to: &buffer)
        }
        return writeAll(buffer) && keep
    }

    private func writeAll(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe send(connection, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            if written > 0 {
                offset += written
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
