import Glibc

@testable import FastCGI

/// A folder for one test's sockets, removed with all that is in it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/fcgi-test-XXXXXX".utf8CString)
        path = unsafe String(cString: mkdtemp(&template))
    }

    deinit {
        unsafe unlink(path + "/s")
        unsafe unlink(path + "/s.new")
        unsafe rmdir(path)
    }

    var socketPath: String { path + "/s" }
}

/// A web server's end of a connection to the worker.
final class Client {
    let descriptor: Int32

    struct CannotConnect: Error { let code: Int32 }

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.enumerated() {
                unsafe target[index] = byte
            }
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            throw CannotConnect(code: errno)
        }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            offset += count
        }
    }

    /// Reads records up to the end of a request, or of the connection.
    func readReply() throws -> [Record] {
        var bytes: [UInt8] = []
        while true {
            if let records = try? Record.decodeAll(bytes), records.contains(where: { $0.type == 3 }) {
                return records
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else {
                return try Record.decodeAll(bytes)
            }
            bytes += chunk[..<count]
        }
    }

    /// Reads so many bytes, or those that come before the connection ends.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: count - bytes.count)
            let received = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            guard received > 0 else { break }
            bytes += chunk[..<received]
        }
        return bytes
    }

    /// True once the worker has closed the connection; waits up to ten seconds for it.
    func isClosedByWorker() -> Bool {
        var byte: UInt8 = 0
        return unsafe Glibc.read(descriptor, &byte, 1) == 0
    }
}

extension [Record] {
    /// What the records say on standard output.
    var output: String {
        String(decoding: filter { $0.type == 6 }.flatMap(\.content), as: UTF8.self)
    }
}
