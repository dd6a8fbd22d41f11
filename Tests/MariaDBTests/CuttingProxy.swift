import Foundation
import TestSupport

/// Stands between a client and a server and loses the connection at a chosen point.
///
/// Unchecked because `mode` and `counts` are guarded by `lock`, and the rest is constant.
final class CuttingProxy: @unchecked Sendable {
    /// What happens to what a client sends.
    enum Mode {
        /// It reaches the server, and the answer comes back.
        case forward
        /// It reaches the server, which answers, but the client sees the connection end instead.
        case cutAnswer
        /// It does not reach the server; the client sees the connection end.
        case cutRequest
        /// It reaches nobody, and nothing happens at all.
        case swallow
    }

    /// The socket clients connect to.
    let path: String
    private let sandbox: Sandbox
    private let serverPath: String
    private let listener: Int32
    private let lock = NSLock()
    private var mode = Mode.forward
    private var connectionCount = 0

    /// Listens on a socket of its own for connections to the server's.
    init(to serverPath: String) throws {
        sandbox = try Sandbox()
        path = sandbox.path("proxy")
        self.serverPath = serverPath
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        let status = unsafe Self.withAddress(path) { address, length in unsafe bind(listener, address, length) }
        guard status == 0, listen(listener, 16) == 0 else {
            throw TestFailure("the proxy cannot listen: errno \(errno)")
        }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let proxy = self else { return }
                Thread.detachNewThread { proxy.serve(client) }
            }
        }
    }

    deinit {
        // Wakes the thread that waits in accept.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// How many clients have connected so far.
    var connections: Int { lock.withLock { connectionCount } }

    /// Treats the next thing a client sends in `mode`, and everything after it normally.
    func next(_ mode: Mode) {
        lock.withLock { self.mode = mode }
    }

    private func serve(_ client: Int32) {
        lock.withLock { connectionCount += 1 }
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        let status = unsafe Self.withAddress(serverPath) { address, length in unsafe connect(server, address, length) }
        guard status == 0 else { return }
        var descriptors = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        var cutsAnswer = false
        while unsafe poll(&descriptors, 2, -1) > 0 {
            if descriptors[0].revents != 0 {
                let bytes = Self.receive(client)
                guard !bytes.isEmpty else { return }
                let mode = lock.withLock {
                    defer { self.mode = .forward }
                    return self.mode
                }
                switch mode {
                case .forward: Self.send(bytes, to: server)
                case .cutRequest: return
                case .cutAnswer:
                    cutsAnswer = true
                    Self.send(bytes, to: server)
                case .swallow:
                    // Holds both ends until the client gives up.
                    while !Self.receive(client).isEmpty {}
                    return
                }
            }
            if descriptors[1].revents != 0 {
                let bytes = Self.receive(server)
                guard !bytes.isEmpty, !cutsAnswer else { return }
                Self.send(bytes, to: client)
            }
        }
    }

    private static func receive(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Foundation.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            unsafe buffer.copyBytes(from: Array(path.utf8))
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
