internal import CLinux
internal import Glibc

/// The listening sockets that this process was started with.
///
/// systemd hands sockets over from descriptor 3 on (sd_listen_fds(3)), a spawner such as spawn-fcgi as descriptor 0, and
/// a worker that is exchanged for its successor hands over those that it had opened itself.
public struct InheritedSockets: Sendable {
    private let sockets: [(name: String, descriptor: Int32)]

    /// The name of the socket on which the status is asked for.
    private static let statusName = "status"
    /// The name of sockets that the worker itself had opened.
    private static let ownName = "own"
    private static let otherName = "worker"

    /// Takes what was handed over; a second call finds nothing but descriptor 0.
    ///
    /// - Throws: `FastCGIError.nothingInherited` if what was handed over does not listen.
    public static func take() throws(FastCGIError) -> InheritedSockets {
        // The descriptors are meant for this process only if LISTEN_PID says so.
        let isMeant = environment("LISTEN_PID").flatMap { pid_t($0) } == getpid()
        let count = environment("LISTEN_FDS").flatMap { Int32($0) } ?? 0
        let names = environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            unsafe unsetenv(name)
        }
        var sockets: [(name: String, descriptor: Int32)] = []
        if isMeant && count > 0 && count < 64 {
            for index in 0..<Int(count) {
                sockets.append((index < names.count ? String(names[index]) : otherName, Int32(3 + index)))
            }
        } else if isListening(0) {
            sockets = [(otherName, 0)]
        }
        guard sockets.allSatisfy({ isListening($0.descriptor) }) else {
            throw .nothingInherited
        }
        return InheritedSockets(sockets: sockets)
    }

    /// Those for the web server's requests.
    var forRequests: [Int32] {
        sockets.filter { $0.name != Self.statusName && $0.name != Self.ownName }.map(\.descriptor)
    }

    /// The one for the status; nil if there is none.
    var forStatus: Int32? {
        sockets.first { $0.name == Self.statusName }?.descriptor
    }

    /// The one that a predecessor had bound to an address.
    func own(boundTo isWanted: (Int32) -> Bool) -> Int32? {
        sockets.first { $0.name == Self.ownName && isWanted($0.descriptor) }?.descriptor
    }

    /// Arranges that the program that is executed next finds these sockets.
    ///
    /// Nothing else of this process may run any more: descriptors from 3 on are replaced.
    ///
    /// - Parameters:
    ///   - sockets: those for requests.
    ///   - status: the one for the status.
    public static func handOver(_ sockets: [ListeningSocket], status: ListeningSocket?) {
        let all =
            sockets.map { (socket: $0, name: $0.isOwn ? ownName : otherName) }
            + (status.map { [(socket: $0, name: $0.isOwn ? ownName : statusName)] } ?? [])
        // Out of the way first, since they may have each other's numbers.
        let copies = all.map { fcntl($0.socket.descriptor, F_DUPFD_CLOEXEC, 256) }
        for (index, copy) in copies.enumerated() {
            dup2(copy, Int32(3 + index))
        }
        unsafe setenv("LISTEN_PID", "\(getpid())", 1)
        unsafe setenv("LISTEN_FDS", "\(all.count)", 1)
        unsafe setenv("LISTEN_FDNAMES", all.map(\.name).joined(separator: ":"), 1)
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value == 1
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
