/// Reads replies out of the bytes of a connection; knows `Content-Length`, chunks, and bodies that end with the
/// connection (RFC 9112, sections 6 and 7).
struct ReplyParser {
    /// What the bytes so far amount to.
    enum Progress: Equatable {
        /// A reply, the number of bytes it took, and whether the connection may serve another request.
        case complete(HTTPReply, length: Int, reusable: Bool)
        /// More bytes are needed.
        case incomplete
    }

    /// The request's method: a reply to `HEAD` has no body.
    let method: String

    /// Reads a reply from the start of `bytes`; `atEnd` when the connection has been closed after them.
    func parse(_ bytes: [UInt8], atEnd: Bool) throws(HTTPFailure) -> Progress {
        guard let head = try head(bytes) else { return .incomplete }
        if (100..<200).contains(head.status) {
            let rest = try parse(Array(bytes[head.end...]), atEnd: atEnd)
            guard case .complete(let reply, let length, let reusable) = rest else { return .incomplete }
            return .complete(reply, length: head.end + length, reusable: reusable)
        }
        var reply = HTTPReply(status: head.status, headers: head.headers, body: [])
        let stays = !reply.values(of: "Connection").contains { $0.lowercased() == "close" }
        if method == "HEAD" || head.status == 204 || head.status == 304 {
            return .complete(reply, length: head.end, reusable: stays)
        }
        if reply.values(of: "Transfer-Encoding").contains(where: { $0.lowercased() == "chunked" }) {
            guard let (body, end) = try chunks(bytes[head.end...]) else { return .incomplete }
            reply.body = body
            return .complete(reply, length: end, reusable: stays)
        }
        if let text = reply.values(of: "Content-Length").first {
            guard let length = Int(text), length >= 0 else { throw .malformed("Content-Length: \(text)") }
            guard bytes.count - head.end >= length else { return .incomplete }
            reply.body = Array(bytes[head.end..<head.end + length])
            return .complete(reply, length: head.end + length, reusable: stays)
        }
        guard atEnd else { return .incomplete }
        reply.body = Array(bytes[head.end...])
        return .complete(reply, length: bytes.count, reusable: false)
    }

    private struct Head {
        var status: Int
        var headers: [(name: String, value: String)]
        var end: Int
    }

    private func head(_ bytes: [UInt8]) throws(HTTPFailure) -> Head? {
        var lines: [String] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = latin1(bytes[start..<end]).trimmingSuffix("\r")
            start = end + 1
            guard !line.isEmpty else { return try interpret(lines, end: start) }
            lines.append(line)
        }
        return nil
    }

    private func interpret(_ lines: [String], end: Int) throws(HTTPFailure) -> Head {
        guard let first = lines.first else { throw .malformed("an empty head") }
        let pieces = first.split(separator: " ", maxSplits: 2)
        guard pieces.count >= 2, pieces[0].hasPrefix("HTTP/1."), let status = Int(pieces[1]) else {
            throw .malformed(first)
        }
        var headers: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(line) }
            let value = line[line.index(after: colon)...]
            headers.append((String(line[..<colon]), value.trimmingBlanks()))
        }
        return Head(status: status, headers: headers, end: end)
    }

    /// The body and the index after it, or `nil` when more bytes are needed.
    private func chunks(_ bytes: ArraySlice<UInt8>) throws(HTTPFailure) -> ([UInt8], Int)? {
        var body: [UInt8] = []
        var rest = bytes
        while let line = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let text = latin1(rest[rest.startIndex..<line]).prefix { $0.isHexDigit }
            guard let size = Int(text, radix: 16) else { throw .malformed("a chunk without a size") }
            rest = rest[(line + 1)...]
            if size == 0 {
                // No server here sends trailers; the empty line after the last chunk has to be complete.
                guard rest.count >= 2 else { return nil }
                return (body, rest.startIndex + 2)
            }
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}

private func latin1(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        // Compared by scalars: Swift counts CR LF as one character.
        var scalars = String.UnicodeScalarView(unicodeScalars)
        if String(scalars.suffix(suffix.unicodeScalars.count)) == suffix {
            scalars.removeLast(suffix.unicodeScalars.count)
        }
        return String(scalars)
    }

    fileprivate func trimmingBlanks() -> String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(String(start.reversed()).drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
