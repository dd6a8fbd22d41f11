extension StatusReport {
    /// For Prometheus: its text format, version 0.0.4.
    public var prometheus: String {
        var lines: [String] = []
        for metric in metrics {
            lines += Self.head(metric.exportedName, metric.kind.rawValue, metric.help)
            lines.append("ireporter_\(metric.exportedName) \(metric.value)")
        }
        lines += Self.head("uploads_refused_total", "counter", "Photos not stored, by reason.")
        lines += refusals.map { "ireporter_uploads_refused_total{reason=\"\($0.reason.name)\"} \($0.count)" }
        lines += Self.head("requests_total", "counter", "Requests by command and outcome.")
        for kind in kinds {
            for outcome in RequestOutcome.allCases {
                let labels = "command=\"\(kind.kind.name)\",outcome=\"\(outcome.name)\""
                lines.append("ireporter_requests_total{\(labels)} \(kind.outcomes[outcome.rawValue])")
            }
        }
        lines += Self.head("request_duration_seconds", "histogram", "Time from a request's head to its reply.")
        for kind in kinds {
            lines += Self.histogram(kind)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ metric: String, _ type: String, _ help: String) -> [String] {
        ["# HELP ireporter_\(metric) \(help)", "# TYPE ireporter_\(metric) \(type)"]
    }

    private static func histogram(_ kind: Kind) -> [String] {
        let name = "ireporter_request_duration_seconds"
        let command = "command=\"\(kind.kind.name)\""
        var sum = 0
        var lines: [String] = []
        for (bound, count) in zip(LatencyBuckets.bounds.map(seconds) + ["+Inf"], kind.latencies) {
            sum += count
            lines.append("\(name)_bucket{\(command),le=\"\(bound)\"} \(sum)")
        }
        return lines + ["\(name)_sum{\(command)} \(seconds(kind.microseconds))", "\(name)_count{\(command)} \(sum)"]
    }

    /// Microseconds as seconds with all their digits.
    private static func seconds(_ microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        var text = "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
        while text.hasSuffix("0") && !text.hasSuffix(".0") {
            text.removeLast()
        }
        return text
    }
}
