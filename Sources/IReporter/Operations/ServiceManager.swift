internal import Glibc

/// Tells systemd, or whoever set `NOTIFY_SOCKET`, how the service is (sd_notify(3)); without one it does nothing.
@safe public struct ServiceManager: Sendable {
    private let path: String?
    /// Seconds between two signs of life that the manager expects half as often; nil if it expects none.
    public let watchdogInterval: Int?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///
    /// Anything but an absolute path or an abstract name (`@…`) is ignored, as the protocol demands.
    public init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"].flatMap { path in
            // sockaddr_un holds 108 bytes.
            (path.hasPrefix("/") || path.hasPrefix("@")) && (2...107).contains(path.utf8.count) ? path : nil
        }
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        watchdogInterval =
            isMeant ? environment["WATCHDOG_USEC"].flatMap { Int($0) }.map { max(1, $0 / 2_000_000) } : nil
    }

    /// Says that requests are served.
    public func ready() { send("READY=1\nSTATUS=Serving requests") }

    /// Says that the service is about to be exchanged for its successor.
    public func reloading() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        // With the time, systemd tells this reload from an earlier one (Type=notify-reload).
        send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)\nSTATUS=Reloading")
    }

    /// Says that running requests are being finished.
    public func stopping() { send("STOPPING=1\nSTATUS=Finishing running requests") }

    /// Says that the service is alive.
    public func isAlive() { send("WATCHDOG=1") }

    /// Sends a datagram; a manager that is gone is nothing to fail for.
    private func send(_ message: String) {
        guard let path else {
            return
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes[0] == UInt8(ascii: "@") {
            bytes[0] = 0
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // An abstract name has exactly this length; a path ends with a NUL byte.
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (bytes[0] == 0 ? 0 : 1)
        let text = Array(message.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
    }
}
