/// The results of a run, for people and for programs.
struct ContractReport {
    let results: [ContractResult]
    let targets: [ContractURL]
    let asOriginal: Bool

    /// The cases that speak against the backend.
    var failures: [ContractResult] {
        results.filter(\.isFailure)
    }

    /// A line for each case, what was sent and what came back for those that differ, and the sum.
    var table: String {
        let width = results.map(\.name.count).max() ?? 0
        var lines: [String] = []
        for result in results {
            let name = result.name + String(repeating: " ", count: width - result.name.count)
            switch result.outcome {
            case .held: lines.append("\(targets.count > 1 ? "same" : "held")     \(name)")
            case .skipped(let why): lines.append("skipped  \(name)  \(why)")
            case .differsOnPurpose(let evidence):
                lines.append("purpose  \(name)  \(result.reason ?? "")")
                lines += self.lines(evidence)
            case .differs(let evidence):
                lines.append("DIFFERS  \(name)  request \(evidence.step): \(evidence.what)")
                lines += self.lines(evidence)
                if let reason = result.reason { lines.append("           different on purpose: \(reason)") }
            }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// How many cases went which way.
    var summary: String {
        var held = 0
        var purpose = 0
        var skipped = 0
        for result in results {
            switch result.outcome {
            case .held: held += 1
            case .differsOnPurpose: purpose += 1
            case .skipped: skipped += 1
            case .differs: continue
            }
        }
        var parts = ["\(held) \(targets.count > 1 ? "the same" : "held")"]
        if purpose > 0 { parts.append("\(purpose) different on purpose") }
        parts.append("\(failures.count) differ\(failures.count == 1 ? "s" : "")")
        if skipped > 0 { parts.append("\(skipped) skipped") }
        return ([parts.joined(separator: ", ")] + kinds).joined(separator: "\n")
    }

    /// What it is that differs, with the number of cases, most of them first: one cause may be behind many.
    private var kinds: [String] {
        var counts: [String: Int] = [:]
        for case .differs(let evidence) in results.map(\.outcome) {
            counts[evidence.what, default: 0] += 1
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) \($0.key)" }
    }

    /// The two sides' headings: what stands in `expected` and in `got`.
    private var headings: (String, String) {
        targets.count > 1 ? ("first", "second") : ("expected", "got")
    }

    private func lines(_ evidence: ContractResult.Evidence) -> [String] {
        let (left, right) = headings
        return [("sent", evidence.sent), (left, evidence.expected), (right, evidence.got)].map { heading, bytes in
            "           \(heading + String(repeating: " ", count: 8 - heading.count))  \(printable(bytes))"
        }
    }

    /// The results as one JSON object.
    var json: String {
        let cases = results.map { result -> String in
            var members = [("name", jsonString(result.name))]
            switch result.outcome {
            case .held: members.append(("outcome", jsonString("held")))
            case .skipped(let why): members += [("outcome", jsonString("skipped")), ("why", jsonString(why))]
            case .differsOnPurpose(let evidence):
                members.append(("outcome", jsonString("differs on purpose")))
                members += self.members(evidence)
            case .differs(let evidence):
                members.append(("outcome", jsonString("differs")))
                members += self.members(evidence)
            }
            if let reason = result.reason { members.append(("reason", jsonString(reason))) }
            return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
        }
        return """
            {"targets":[\(targets.map { jsonString($0.description) }.joined(separator: ","))],\
            "original":\(asOriginal),"failures":\(failures.count),"cases":[
            \(cases.joined(separator: ",\n"))
            ]}
            """
    }

    private func members(_ evidence: ContractResult.Evidence) -> [(String, String)] {
        let (left, right) = headings
        return [
            ("request", "\(evidence.step)"), ("what", jsonString(evidence.what)),
            ("sent", jsonString(printable(evidence.sent, limit: 4000))),
            (left, jsonString(printable(evidence.expected, limit: 4000))),
            (right, jsonString(printable(evidence.got, limit: 4000))),
        ]
    }
}

/// Bytes for the eye: printable ASCII as it is, everything else escaped, cut after `limit` bytes.
func printable(_ bytes: [UInt8], limit: Int = 600) -> String {
    if bytes.isEmpty { return "(nothing)" }
    var text = ""
    for byte in bytes.prefix(limit) {
        switch byte {
        case 0x0a: text += "\\n"
        case 0x0d: text += "\\r"
        case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16)
            text += "\\x\(digits.count == 1 ? "0" : "")\(digits)"
        }
    }
    return bytes.count > limit ? "\(text)… (\(bytes.count) bytes)" : text
}

/// A JSON string (RFC 8259, section 7).
private func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\u{0}"..<" ":
            let digits = String(scalar.value, radix: 16)
            result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
