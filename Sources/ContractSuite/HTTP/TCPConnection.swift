import Glibc

/// A TCP connection that sends bytes when told to, and never waits past a deadline.
final class TCPConnection {
    private let descriptor: Int32

    /// Connects to the first of the host's addresses that answers.
    init(host: String, port: UInt16, deadline: ContinuousClock.Instant) throws(HTTPFailure) {
        descriptor = try TCPConnection.connect(host: host, port: port, deadline: deadline)
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of `bytes`, or as much as the other side takes before it closes: it may have replied already.
    func send(_ bytes: ArraySlice<UInt8>, deadline: ContinuousClock.Instant) throws(HTTPFailure) {
        var rest = bytes
        while !rest.isEmpty {
            try wait(for: Int16(POLLOUT), deadline: deadline)
            let sent = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno != EAGAIN && errno != EINTR {
                return
            }
        }
    }

    /// The next bytes, at most 64 KiB; none when the other side has closed.
    func receive(deadline: ContinuousClock.Instant) throws(HTTPFailure) -> [UInt8] {
        while true {
            try wait(for: Int16(POLLIN), deadline: deadline)
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                initialized = max(count, 0)
            }
            // A reset after the reply reads as its end: what came before it is judged.
            if count >= 0 || (errno != EAGAIN && errno != EINTR) { return bytes }
        }
    }

    /// Tells the other side that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func wait(for events: Int16, deadline: ContinuousClock.Instant) throws(HTTPFailure) {
        try TCPConnection.wait(descriptor, for: events, deadline: deadline)
    }

    private static func wait(
        _ descriptor: Int32,
        for events: Int16,
        deadline: ContinuousClock.Instant
    ) throws(HTTPFailure) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            let milliseconds = min(left / .milliseconds(1), 60_000)
            let ready = unsafe poll(&entry, 1, Int32(milliseconds.rounded(.up)))
            if ready > 0 { return }
            if ready < 0 && errno != EINTR { throw .cannotConnect(errorText()) }
        }
    }

    private static func connect(
        host: String,
        port: UInt16,
        deadline: ContinuousClock.Instant
    ) throws(HTTPFailure) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else { throw .cannotResolve(host) }
        defer { unsafe freeaddrinfo(list) }
        var failure = HTTPFailure.cannotResolve(host)
        var next = unsafe list
        while let address = unsafe next?.pointee {
            do throws(HTTPFailure) {
                return try unsafe connect(to: address, deadline: deadline)
            } catch {
                failure = error
            }
            unsafe next = address.ai_next
        }
        throw failure
    }

    private static func connect(
        to address: addrinfo,
        deadline: ContinuousClock.Instant
    ) throws(HTTPFailure) -> Int32 {
        let type = unsafe address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, type, address.ai_protocol)
        guard descriptor >= 0 else { throw .cannotConnect(errorText()) }
        do throws(HTTPFailure) {
            // Without delay, so that each write of a case travels by itself.
            var on: Int32 = 1
            unsafe setsockopt(
                descriptor,
                Int32(IPPROTO_TCP),
                TCP_NODELAY,
                &on,
                socklen_t(MemoryLayout<Int32>.size)
            )
            if unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else { throw HTTPFailure.cannotConnect(errorText()) }
                try wait(descriptor, for: Int16(POLLOUT), deadline: deadline)
                var failure: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
                guard failure == 0 else { throw HTTPFailure.cannotConnect(errorText(failure)) }
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func errorText(_ number: Int32 = errno) -> String {
        unsafe String(cString: strerror(number))
    }
}
