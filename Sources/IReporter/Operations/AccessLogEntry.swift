internal import PHPSemantics

/// One request as the access log shows it.
struct AccessLogEntry {
    private let trace: RequestTrace
    private let head: RequestHead
    private let outcome: RequestOutcome
    private let bytes: Int
    private let microseconds: Int

    init(_ trace: RequestTrace, _ head: RequestHead, _ outcome: RequestOutcome, bytes: Int, microseconds: Int) {
        self.trace = trace
        self.head = head
        self.outcome = outcome
        self.bytes = bytes
        self.microseconds = microseconds
    }

    /// nginx's `combined`, then command, outcome and seconds.
    ///
    /// A request that nobody waited for has the status 499, as with nginx.
    func combined(time: String) -> [UInt8] {
        var line: [UInt8] = []
        line.appendEscaped(trace.address)
        line += Array(" - ".utf8)
        line.appendEscaped(head.user)
        line += Array(" [\(time)] \"".utf8)
        line.appendEscaped(head.method)
        line.append(0x20)
        line.appendEscaped(head.uri)
        line.append(0x20)
        line.appendEscaped(head.version)
        line += Array("\" \(status) \(bytes) \"".utf8)
        line.appendEscaped(head.referrer)
        line += Array("\" \"".utf8)
        line.appendEscaped(head.agent)
        line += Array("\" \(trace.kind.name) \(outcome.name) \(seconds)\n".utf8)
        return line
    }

    /// One JSON object.
    func json(time: String) -> [UInt8] {
        var line = Array(#"{"time":"\#(time)","address":"#.utf8)
        line.appendJSONString(trace.address)
        for (name, value) in [
            ("method", head.method), ("uri", head.uri), ("protocol", head.version), ("referer", head.referrer),
            ("user_agent", head.agent),
        ] {
            line += Array(#","\#(name)":"#.utf8)
            line.appendJSONString(value)
        }
        line += Array(#","status":\#(status),"bytes":\#(bytes),"command":"\#(trace.kind.name)""#.utf8)
        line += Array(#","outcome":"\#(outcome.name)","seconds":\#(seconds)}"#.utf8)
        line.append(10)
        return line
    }

    private var status: Int { outcome == .abandoned ? 499 : 200 }

    /// Seconds with three decimals, as nginx writes `$request_time`, and three more.
    private var seconds: String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

extension [UInt8] {
    /// Appends a client's text as nginx escapes it in its logs: `"`, `\`, and what is no printable ASCII become
    /// `\xHH`; nothing becomes `-`.
    fileprivate mutating func appendEscaped(_ text: [UInt8]) {
        guard !text.isEmpty else {
            append(UInt8(ascii: "-"))
            return
        }
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text {
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                self += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                append(byte)
            }
        }
    }
}
