import Foundation
import TestSupport

/// A socket on which a service tells its manager how it is, as systemd's `NOTIFY_SOCKET`.
final class NotifySocket {
    private let descriptor: Int32

    /// Binds the socket to a path.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw TestFailure("cannot bind \(path): errno \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    /// The next message that is wanted; nil if none comes within half a minute.
    func next(_ isWanted: (String) -> Bool = { _ in true }) -> String? {
        while true {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            guard count >= 0 else { return nil }
            let message = String(decoding: bytes[..<count], as: UTF8.self)
            if isWanted(message) { return message }
        }
    }
}
