internal import CLinux
internal import Glibc

/// A web server's side of one request, for asking a worker on this machine how it is.
public final class WorkerClient {
    private let descriptor: Int32
    private let address: ListenAddress

    /// Connects to a worker.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - timeout: seconds without an answer after which it is given up.
    /// - Throws: `FastCGIError.system`, or `.malformedAddress` for an inherited socket, which has none.
    public init(to address: ListenAddress, timeout: Int = 5) throws(FastCGIError) {
        self.address = address
        switch address {
        case .unix(let path):
            descriptor = try Self.connectUnix(path, timeout)
        case .tcp(let host, let port):
            descriptor = try Self.connectTCP(host, port, timeout)
        case .inherited:
            throw .malformedAddress("")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request without a body and reads the reply.
    ///
    /// - Returns: the reply as the worker wrote it: header fields, an empty line, the body.
    /// - Throws: `FastCGIError.system`.
    public func get(_ parameters: [(name: String, value: String)]) throws(FastCGIError) -> [UInt8] {
        let request = RequestEncoder.request(parameters)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw .system("ask \(address)", errorText())
        }
        var records: [UInt8] = []
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else {
                throw .system("read the answer of \(address)", count == 0 ? "it hung up" : errorText())
            }
            records.append(contentsOf: chunk[..<count])
            guard let isOver = RecordDecoder.takeOutput(from: &records, into: &output) else {
                throw .system("read the answer of \(address)", "it does not speak FastCGI")
            }
            if isOver {
                return output
            }
        }
    }

    private static func connectUnix(_ path: String, _ timeout: Int) throws(FastCGIError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        setTimeout(descriptor, timeout)
        guard unsafe ListeningSocket.withUnixAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            throw failure("connect to unix:\(path)", closing: descriptor)
        }
        return descriptor
    }

    private static func connectTCP(_ host: String, _ port: UInt16, _ timeout: Int) throws(FastCGIError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else {
            throw .system("find the address \(host)", unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(found) }
        let descriptor = unsafe socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        setTimeout(descriptor, timeout)
        guard unsafe connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else {
            throw failure("connect to \(host):\(port)", closing: descriptor)
        }
        return descriptor
    }

    private static func setTimeout(_ descriptor: Int32, _ seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    private static func failure(_ attempt: String, closing descriptor: Int32) -> FastCGIError {
        let reason = errorText()
        close(descriptor)
        return .system(attempt, reason)
    }
}

/// Encodes the records of a request without a body (FastCGI 1.0, sections 3.4, 5.1 to 5.3).
enum RequestEncoder {
    /// One request with the number 1, after which the connection is closed.
    static func request(_ parameters: [(name: String, value: String)]) -> [UInt8] {
        var pairs: [UInt8] = []
        for (name, value) in parameters {
            pairs += length(name.utf8.count) + length(value.utf8.count) + Array(name.utf8) + Array(value.utf8)
        }
        precondition(pairs.count <= 65_535, "more parameters than one record holds")
        var records: [UInt8] = []
        RecordHeader.append(.beginRequest, 1, length: 8, to: &records)
        records += [0, 1, 0, 0, 0, 0, 0, 0]
        RecordHeader.append(.parameters, 1, length: pairs.count, to: &records)
        records += pairs
        RecordHeader.append(.parameters, 1, length: 0, to: &records)
        RecordHeader.append(.standardInput, 1, length: 0, to: &records)
        return records
    }

    private static func length(_ count: Int) -> [UInt8] {
        count < 128
            ? [UInt8(count)]
            : [UInt8(count >> 24) | 0x80, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    }
}

/// Reads a reply's records.
enum RecordDecoder {
    /// Moves the standard output of all whole records to `output`; true once the request has ended, nil for what is no
    /// record.
    static func takeOutput(from records: inout [UInt8], into output: inout [UInt8]) -> Bool? {
        var rest = records[...]
        defer { records = Array(rest) }
        while rest.count >= RecordHeader.length {
            guard let header = RecordHeader(records, at: rest.startIndex) else {
                return nil
            }
            let total = RecordHeader.length + header.contentLength + header.paddingLength
            guard rest.count >= total else {
                return false
            }
            switch RecordType(rawValue: header.type) {
            case .standardOutput:
                output.append(contentsOf: rest.dropFirst(RecordHeader.length).prefix(header.contentLength))
            case .endRequest: return true
            default: break
            }
            rest = rest.dropFirst(total)
        }
        return false
    }
}
