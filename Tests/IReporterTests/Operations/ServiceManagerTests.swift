import Glibc
import Testing

@testable import IReporter

@Suite struct ServiceManagerTests {
    /// A socket such as systemd gives to a service.
    private final class NotifySocket {
        let name: String
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init(isAbstract: Bool) {
            name = (isAbstract ? "@" : "/tmp/") + "ireporter-notify-\(UInt32.random(in: 0...UInt32.max))"
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(name.utf8)
            if isAbstract { bytes[0] = 0 }
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
            let status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
            }
            precondition(status == 0)
        }

        deinit {
            close(descriptor)
            unsafe unlink(name)
        }

        /// The next message; nil if none waits.
        func message() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    @Test(arguments: [false, true])
    func managerIsTold(isAbstract: Bool) throws {
        let socket = NotifySocket(isAbstract: isAbstract)
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.name])
        manager.ready()
        #expect(socket.message() == "READY=1\nSTATUS=Serving requests")
        manager.isAlive()
        #expect(socket.message() == "WATCHDOG=1")
        manager.reloading()
        let reloading = try #require(socket.message())
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        manager.stopping()
        #expect(socket.message()?.hasPrefix("STOPPING=1\n") == true)
        #expect(socket.message() == nil)
    }

    @Test(arguments: [nil as String?, "", "relative", "/nonexistent/socket", "/" + String(repeating: "x", count: 200)])
    func withoutAManagerNothingHappens(path: String?) {
        // There is nothing to see but that the process goes on.
        ServiceManager(environment: path.map { ["NOTIFY_SOCKET": $0] } ?? [:]).ready()
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "10000000"], 5 as Int?), (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "\(getpid())"], 5),
        (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"], nil), (["WATCHDOG_USEC": "500000"], 1),
        (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ])
    func watchdogIsFedTwiceInItsTime(environment: [String: String], seconds: Int?) {
        #expect(ServiceManager(environment: environment).watchdogInterval == seconds)
    }
}
