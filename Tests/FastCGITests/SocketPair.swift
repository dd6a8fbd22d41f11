import Glibc

@testable import FastCGI

/// Two connected sockets: a web server's, and the worker's.
final class SocketPair: Sendable {
    enum Kind {
        case stream
        /// Each call that sends is one that receives.
        case packets
    }

    let worker: Int32
    private let peer: Int32

    init(_ kind: Kind) {
        var ends: [Int32] = [-1, -1]
        let type = kind == .stream ? SOCK_STREAM : SOCK_SEQPACKET
        let code = unsafe socketpair(AF_UNIX, Int32(type.rawValue), 0, &ends)
        precondition(code == 0)
        (worker, peer) = (ends[0], ends[1])
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        unsafe setsockopt(worker, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(worker)
        close(peer)
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    func hangUp() {
        shutdown(peer, Int32(SHUT_RDWR))
    }

    func hangUpWorker() {
        shutdown(worker, Int32(SHUT_RDWR))
    }
}

/// A thread that sends what would not fit into a socket at once.
final class Writer: @unchecked Sendable {
    // @unchecked: written before the thread starts, read after it has ended.
    private var thread: WorkerThread?

    init(_ body: @escaping () -> Void) {
        nonisolated(unsafe) let body = body
        thread = try? WorkerThread(name: "writer") { unsafe body() }
    }

    func join() {
        thread?.join()
    }
}
