/// A request's bytes and how they leave.
struct WireRequest: Sendable {
    var method: String
    var bytes: [UInt8]
    /// The offsets in `bytes` where a write ends, in order, without the last.
    var cuts: [Int] = []
    /// Between two writes.
    var pauseMilliseconds = 0
    var keepsConnection = false
    var closesAfterSending = false

    /// The writes.
    var pieces: [ArraySlice<UInt8>] {
        var start = 0
        return (cuts.filter { $0 > 0 && $0 < bytes.count } + [bytes.count]).map { end in
            defer { start = end }
            return bytes[start..<end]
        }
    }
}

extension WireRequest {
    /// Fills a request's blanks; `nil` when it needs an id that no reply has shown.
    init?(_ request: ContractRequest, to url: ContractURL, scope: Scope, jar: CookieJar) {
        guard let path = scope.render(request.path), let content = scope.render(request.content),
            let head = WireRequest.head(request, path: path, to: url, scope: scope, jar: jar, count: content.count)
        else { return nil }
        let body = WireRequest.framed(content, request.length)
        method = request.method
        bytes = head + body
        keepsConnection = request.keepsConnection
        closesAfterSending = request.closesAfterSending
        switch request.delivery {
        case .whole: break
        case .pieces(let size, let pause):
            cuts = Array(stride(from: size, to: bytes.count, by: size))
            pauseMilliseconds = pause
        case .cuts(let offsets, let pause):
            cuts = offsets.map { head.count + $0 }
            pauseMilliseconds = pause
        }
    }

    private static func head(
        _ request: ContractRequest,
        path: [UInt8],
        to url: ContractURL,
        scope: Scope,
        jar: CookieJar,
        count: Int
    ) -> [UInt8]? {
        let base = request.doublesSlashes ? url.path.replacing("/", with: "//") : url.path
        var head = Array("\(request.method) \(base)".utf8) + path
        head += " HTTP/1.1\r\nHost: \(url.authority)\r\n".utf8
        head += "Connection: \(request.keepsConnection ? "keep-alive" : "close")\r\n".utf8
        if let cookies = jar.header(request.cookies) { head += "Cookie: \(cookies)\r\n".utf8 }
        if let type = request.contentType { head += "Content-Type: \(type)\r\n".utf8 }
        switch request.length {
        case .actual: if request.hasBody { head += "Content-Length: \(count)\r\n".utf8 }
        case .claimed(let value): head += "Content-Length: \(value)\r\n".utf8
        case .chunked: head += "Transfer-Encoding: chunked\r\n".utf8
        case .omitted: break
        }
        for header in request.headers {
            guard let value = scope.render(header.value) else { return nil }
            head += "\(header.name): ".utf8
            head += value
            head += "\r\n".utf8
        }
        return head + "\r\n".utf8
    }

    private static func framed(_ content: [UInt8], _ length: ContractRequest.Length) -> [UInt8] {
        guard case .chunked(let size) = length else { return content }
        var body: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            let chunk = content[start..<min(start + size, content.count)]
            body += "\(String(chunk.count, radix: 16))\r\n".utf8
            body += chunk
            body += "\r\n".utf8
        }
        return body + "0\r\n\r\n".utf8
    }
}

extension ContractRequest {
    /// Whether a length is announced at all.
    fileprivate var hasBody: Bool {
        if case .none = body { false } else { true }
    }

    /// The `Content-Type` header's value, if one is sent.
    fileprivate var contentType: String? {
        switch body {
        case .none: nil
        case .raw(let type, _): type
        case .form: "application/x-www-form-urlencoded"
        case .multipart(let multipart): multipart.header
        }
    }

    /// The body before any transfer coding.
    fileprivate var content: Template {
        switch body {
        case .none: return ""
        case .raw(_, let bytes): return bytes
        case .multipart(let multipart): return multipart.body
        case .form(let fields):
            var result: Template = ""
            for (index, field) in fields.enumerated() {
                result += "\(index == 0 ? "" : "&")\(bytes: percentEncoded(field.name.utf8))="
                result += field.value.percentEncodedOnce
            }
            return result
        }
    }
}
