import Foundation
import Glibc

@testable import ContractSuite

/// A server on the loopback that answers each request with what a closure makes of it.
///
/// A connection is read until it holds a head and as many bytes as its `Content-Length`, or a last chunk; the closure
/// gets those bytes and answers with the whole reply. Serves until it is released.
final class ScriptedBackend: Sendable {
    /// What the reads of one connection brought, joined, when the closure was asked.
    typealias Script = @Sendable (_ request: String) -> String

    let port: UInt16
    private let listener: Int32

    init(_ script: @escaping Script) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        listener = descriptor
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // Closed here: another backend could get its number while this thread is about to use it.
                    close(descriptor)
                    return
                }
                Thread.detachNewThread { ScriptedBackend.serve(connection, script) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func serve(_ connection: Int32, _ script: Script) {
        defer { close(connection) }
        while let request = readRequest(connection) {
            let reply = Array(script(request).utf8)
            _ = unsafe reply.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if request.contains("Connection: close") { return }
        }
    }

    private static func readRequest(_ connection: Int32) -> String? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer.prefix(count)
            // As Latin-1, so that every byte is a character.
            let text = String(String.UnicodeScalarView(received.map { Unicode.Scalar($0) }))
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            if text.contains("Transfer-Encoding: chunked") {
                if text.hasSuffix("0\r\n\r\n") { return text }
                continue
            }
            let length = text.range(of: "Content-Length: ").map { range in
                Int(
                    text[range.upperBound...].unicodeScalars.prefix { ("0"..."9").contains($0) }.map(String.init)
                        .joined()
                )
            }
            if text[head.upperBound...].unicodeScalars.count >= (length ?? 0) ?? 0 { return text }
        }
    }
}

extension ScriptedBackend {
    /// The headers of the contract, for a body of one line.
    static func reply(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> String {
        var all = [
            "Content-Type": "application/json", "Expires": "Thu, 19 Nov 1981 08:52:00 GMT",
            "Cache-Control": "no-store, no-cache, must-revalidate", "Pragma": "no-cache",
            "Content-Length": "\(body.utf8.count)",
        ]
        all.merge(headers) { _, new in new }
        let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
        return "HTTP/1.1 \(status) X\r\n\(lines.joined())\r\n\(body)"
    }

    /// The backend's directory URL.
    var url: ContractURL {
        get throws { try ContractURL("http://127.0.0.1:\(port)/iReporter/") }
    }
}
