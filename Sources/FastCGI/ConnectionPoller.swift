internal import CLinux
internal import Glibc
internal import Synchronization

/// One `epoll` set with the listening sockets and every idle kept-alive connection.
///
/// All worker threads wait in it. A connection is armed for one event at a time (`EPOLLONESHOT`), so the thread
/// that an event wakes owns that connection until it arms it again or closes it. Idle connections cost a
/// descriptor and no thread.
final class ConnectionPoller: Sendable {
    /// What woke a thread.
    enum Event {
        /// A connection has a request, or was closed by its peer.
        case connection(Int32)
        /// New connections wait; they have been taken into the set already.
        case accepted
        /// `nudge` was called.
        case nudged
        /// The time given has passed.
        case timeout
        /// `stop` was called.
        case stopped
    }

    private let epoll: Int32
    private let wakeUp: Int32
    private let nudges: Int32
    private let listeners: [ListeningSocket]
    private let receiveTimeout: Int
    private let connectionLimit: Int
    private let acceptedTotal = Atomic<Int>(0)
    private let open = Atomic<Int>(0)
    private let armed = ArmedConnections()
    private let isAccepting = Atomic<Bool>(true)
    /// Whether new connections are left waiting, because there was no room for one.
    private let isPaused = Atomic<Bool>(false)
    /// Whether that has been so since somebody asked last.
    private let wasPaused = Atomic<Bool>(false)

    /// Makes the set and adds the listening sockets.
    ///
    /// - Parameters:
    ///   - listeners: the sockets to take connections from.
    ///   - receiveTimeout: seconds after which a connection that stops in the middle of a request is given up.
    ///   - connectionLimit: how many connections may be open at a time.
    /// - Throws: `FastCGIError.system`.
    init(listeners: [ListeningSocket], receiveTimeout: Int, connectionLimit: Int) throws(FastCGIError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        nudges = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        self.listeners = listeners
        self.receiveTimeout = receiveTimeout
        self.connectionLimit = connectionLimit
        guard epoll >= 0, wakeUp >= 0, nudges >= 0 else {
            throw .system("create an epoll set", errorText())
        }
        guard control(EPOLL_CTL_ADD, wakeUp, EPOLLIN.rawValue), control(EPOLL_CTL_ADD, nudges, EPOLLIN.rawValue) else {
            throw .system("watch an eventfd", errorText())
        }
        for listener in listeners {
            guard watch(listener) else {
                throw .system("watch \(listener.address)", errorText())
            }
        }
    }

    deinit {
        Glibc.close(epoll)
        Glibc.close(wakeUp)
        Glibc.close(nudges)
    }

    /// Connections taken since the start.
    var accepted: Int {
        acceptedTotal.load(ordering: .relaxed)
    }

    /// Waits for the next event and takes it.
    ///
    /// - Parameter milliseconds: how long to wait at most; -1 without end.
    func wait(milliseconds: Int32 = -1) -> Event {
        var event = unsafe epoll_event()
        let count = unsafe epoll_wait(epoll, &event, 1, milliseconds)
        guard count > 0 else {
            return .timeout  // interrupted by a signal counts as one
        }
        let descriptor = Int32(truncatingIfNeeded: unsafe event.data.u64)
        if descriptor == wakeUp {
            return .stopped
        }
        if descriptor == nudges {
            var count: UInt64 = 0
            return unsafe read(nudges, &count, 8) == 8 ? .nudged : .timeout
        }
        if let listener = listeners.first(where: { $0.descriptor == descriptor }) {
            acceptPending(from: listener, limit: connectionLimit)
            return .accepted
        }
        armed.set(descriptor, false)
        return .connection(descriptor)
    }

    /// How many connections are idle, and on how many a request waits that no thread has taken.
    ///
    /// New connections are taken first: with every thread busy they would wait unseen in the listening socket.
    func waiting() -> (idle: Int, ready: Int) {
        if isAccepting.load(ordering: .relaxed) {
            for listener in listeners {
                acceptPending(from: listener, limit: connectionLimit)
            }
        }
        return armed.count()
    }

    /// Waits for the next request or end of a connection the caller owns.
    func rearm(_ connection: Int32) {
        armed.set(connection, true)
        if !control(EPOLL_CTL_MOD, connection, Self.connectionEvents) {
            armed.set(connection, false)
            close(connection)
        }
    }

    /// Closes a connection the caller owns.
    func close(_ connection: Int32) {
        Glibc.close(connection)
        open.wrappingSubtract(1, ordering: .relaxed)
        resumeAccepting()
    }

    /// Looks for new connections again if there was no room for one; to be called now and then, since what took the room
    /// may have been no connection.
    func resumeAccepting() {
        guard isPaused.load(ordering: .relaxed), isPaused.exchange(false, ordering: .acquiringAndReleasing) else {
            return
        }
        for listener in listeners {
            _ = watch(listener)
        }
        // Whoever stops has said so before it took the sockets out of the set.
        if !isAccepting.load(ordering: .sequentiallyConsistent) {
            unwatchListeners()
        }
    }

    /// Whether new connections had to wait since the last call.
    func hadNoRoom() -> Bool {
        wasPaused.exchange(false, ordering: .relaxed)
    }

    /// Leaves new connections waiting in the listening sockets, if there are any.
    ///
    /// Nothing can be taken until something is closed, and a ready listening socket in the set would keep every thread
    /// spinning.
    private func pauseAccepting(_ listener: ListeningSocket) {
        var poll = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe Glibc.poll(&poll, 1, 0) > 0 else {
            return
        }
        wasPaused.store(true, ordering: .relaxed)
        unwatchListeners()
        // Only now: whoever sees it adds them again.
        isPaused.store(true, ordering: .releasing)
    }

    private func unwatchListeners() {
        for listener in listeners {
            _ = control(EPOLL_CTL_DEL, listener.descriptor, 0)
        }
    }

    /// Takes no new connections any more, after taking all that wait where the socket is ours.
    ///
    /// - Parameter leavingQueue: leave what waits, and what is still to come, to a successor.
    func stopAccepting(leavingQueue: Bool) {
        isAccepting.store(false, ordering: .sequentiallyConsistent)
        if !leavingQueue {
            for listener in listeners {
                listener.refuseNewConnections()
            }
        }
        unwatchListeners()
        for listener in listeners where listener.isOwn && !leavingQueue {
            acceptPending(from: listener, limit: .max)
        }
    }

    /// Takes no further request on connections that are idle, and lets the threads close them.
    ///
    /// Their receiving side is shut, which wakes a thread for each: what had arrived before is still served, and with
    /// nothing there the connection is closed, so that the web server forgets it before it sends a request to a process
    /// that is about to end.
    ///
    /// - Returns: whether none is left.
    func closeIdle() -> Bool {
        let idle = armed.all
        for connection in idle {
            shutdown(connection, Int32(SHUT_RD))
        }
        return idle.isEmpty
    }

    /// Wakes a thread to look for requests that were received and wait for others.
    func nudge() {
        var one: UInt64 = 1
        unsafe write(nudges, &one, 8)
    }

    /// Wakes every thread for good: from now on `wait` returns `.stopped` once no other event is ready.
    func stop() {
        var one: UInt64 = 1
        unsafe write(wakeUp, &one, 8)
    }

    /// Takes *everything* that waits into the set.
    ///
    /// Serving one and coming back for the next would let kept connections that are always busy starve new ones.
    private func acceptPending(from listener: ListeningSocket, limit: Int) {
        while true {
            guard open.load(ordering: .relaxed) < limit else {
                pauseAccepting(listener)
                return
            }
            let connection = accept4(listener.descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if connection < 0 {
                switch errno {
                case EINTR, ECONNABORTED:
                    continue
                case EMFILE, ENFILE, ENOMEM, ENOBUFS:
                    pauseAccepting(listener)
                    return
                default:
                    return
                }
            }
            acceptedTotal.wrappingAdd(1, ordering: .relaxed)
            open.wrappingAdd(1, ordering: .relaxed)
            setTimeouts(connection)
            armed.set(connection, true)
            if !control(EPOLL_CTL_ADD, connection, Self.connectionEvents) {
                armed.set(connection, false)
                close(connection)
            }
        }
    }

    private func setTimeouts(_ connection: Int32) {
        var limit = timeval(tv_sec: receiveTimeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    private func watch(_ listener: ListeningSocket) -> Bool {
        // EPOLLEXCLUSIVE: where several workers share an inherited socket, a connection wakes one of them.
        control(EPOLL_CTL_ADD, listener.descriptor, EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.u64 = UInt64(UInt32(bitPattern: descriptor))
        return unsafe epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    private static let connectionEvents = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
}
