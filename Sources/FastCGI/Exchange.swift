internal import CFastCGI
internal import Glibc

/// One request on one connection: libfcgi's request structure, and the connection lent to it.
///
/// libfcgi would bind a thread to each connection. Here the connection stays ours: `accept` lends its descriptor
/// for one request, `finish` takes it back.
@safe final class Exchange: @unchecked Sendable {
    // @unchecked: owned by one thread at a time; it changes hands only through `HeavyLane` and `Gathering`.
    private let raw: UnsafeMutablePointer<FCGX_Request>
    /// The connection while it is lent; -1 otherwise.
    private(set) var connection: Int32 = -1
    private var wantsKeepAlive = false
    private var sawBodyEnd = false

    init() {
        unsafe raw = .allocate(capacity: 1)
        unsafe FCGX_InitRequest(raw, -1, 0)
    }

    deinit {
        unsafe FCGX_Free(raw, 1)
        unsafe raw.deallocate()
    }

    /// Reads a request's head from a connection that is ready.
    ///
    /// False if there is none, because the peer closed the connection or broke the protocol; the connection is
    /// closed then.
    func accept(_ descriptor: Int32) -> Bool {
        connection = descriptor
        sawBodyEnd = false
        unsafe raw.pointee.ipcFd = descriptor
        // Without this the library closes the lent descriptor before it reads from it.
        unsafe raw.pointee.keepConnection = 1
        // Else the library waits up to two seconds for the peer's end when it closes a connection.
        unsafe raw.pointee.detached = 1
        guard unsafe FCGX_Accept_r(raw) == 0 else {
            connection = -1
            return false
        }
        wantsKeepAlive = unsafe raw.pointee.keepConnection != 0
        unsafe raw.pointee.keepConnection = 1
        return true
    }

    /// The request's identifier on its connection.
    var requestID: UInt16 {
        UInt16(truncatingIfNeeded: unsafe raw.pointee.requestId)
    }

    /// The bytes of a FastCGI parameter; nil if the web server sent none of that name.
    func parameter(_ name: StaticString) -> [UInt8]? {
        // A literal ends in a NUL, so it is a C string without being copied.
        let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let value = unsafe FCGX_GetParam(name, raw.pointee.envp) else {
            return nil
        }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Reads body bytes into `buffer`; fewer than fit mean that the body, or the connection, has ended.
    func readBody(into buffer: inout [UInt8]) -> Int {
        let capacity = buffer.count
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe FCGX_GetStr($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(capacity), raw.pointee.in)
        }
        if count < capacity {
            sawBodyEnd = true
        }
        return Int(count)
    }

    /// True if the connection failed while the request was read.
    var failed: Bool {
        unsafe FCGX_GetError(raw.pointee.in) != 0
    }

    /// True if the web server has given the request up: it closes the connection when its client leaves.
    ///
    /// - Parameter afterShutdown: whether we may have shut the receiving side ourselves, which then says nothing.
    func isAbandoned(afterShutdown: Bool) -> Bool {
        var poll = pollfd(fd: connection, events: afterShutdown ? 0 : Int16(POLLRDHUP), revents: 0)
        // That both sides are shut is told without being asked for.
        return unsafe Glibc.poll(&poll, 1, 0) > 0
    }

    /// Ends the request: writes the reply, if there is one, and takes the connection back.
    ///
    /// - Parameters:
    ///   - response: nil closes the connection without a reply.
    ///   - closing: close the connection afterwards even if the web server asked to keep it.
    ///   - buffer: scratch space, reused from reply to reply.
    /// - Returns: the connection if it stays open; the caller then owns it.
    func finish(_ response: Response?, closing: Bool, buffer: inout [UInt8]) -> Int32? {
        var isOpen = response != nil && discardRest() && !failed
        if isOpen, let response {
            let keep = wantsKeepAlive && !closing
            buffer.removeAll(keepingCapacity: true)
            RecordEncoder.appendReply(
                [response.head, response.headEnd, response.body],
                requestID: requestID,
                to: &buffer
            )
            if wantsKeepAlive && !keep {
                RecordEncoder.appendFarewell(to: &buffer)
            }
            isOpen = writeAll(buffer) && keep
        }
        // The reply is complete: nothing is left for the library to write.
        unsafe raw.pointee.out.pointee.wasFCloseCalled = 1
        unsafe raw.pointee.err.pointee.wasFCloseCalled = 1
        unsafe raw.pointee.keepConnection = isOpen ? 1 : 0
        unsafe FCGX_Finish_r(raw)
        let kept = unsafe raw.pointee.ipcFd >= 0
        unsafe raw.pointee.ipcFd = -1
        defer { connection = -1 }
        return kept ? connection : nil
    }

    /// Reads what is left of the body, so that neither the next request starts in its middle nor a close
    /// with unread bytes resets the connection and takes the reply with it.
    private func discardRest() -> Bool {
        var scratch = [UInt8](repeating: 0, count: sawBodyEnd ? 0 : 16_384)
        while !sawBodyEnd {
            _ = readBody(into: &scratch)
        }
        return !failed
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
