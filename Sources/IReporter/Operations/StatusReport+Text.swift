internal import FastCGI

extension StatusReport {
    /// For people: a name and a value a line, and a table of the commands.
    public var text: String {
        var lines = [
            Self.line("ireporter", version), Self.line("process", "\(process)"),
            Self.line("state", server.isStopping ? "stopping" : "serving"),
        ]
        lines += metrics.map { metric in
            let isTime = metric.name == "start time"
            let value = isTime ? CalendarTime.text("%Y-%m-%d %H:%M:%S %z", .local, at: metric.value) : "\(metric.value)"
            return Self.line(metric.name, value)
        }
        if kinds.contains(where: { $0.total > 0 }) {
            lines.append("")
            lines += table
        }
        let refused = refusals.filter { $0.count > 0 }
        if !refused.isEmpty {
            lines.append("")
            lines += refused.map {
                Self.line("uploads refused, \($0.reason.name.replacing("_", with: " "))", "\($0.count)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line for each command that was used.
    private var table: [String] {
        let headings =
            ["command", "requests"] + RequestOutcome.allCases.map(\.name) + ["mean", "half within", "99% within"]
        let rows = kinds.filter { $0.total > 0 }.map { kind in
            [kind.kind.name, "\(kind.total)"] + kind.outcomes.map { "\($0)" }
                + [Self.duration(kind.microseconds / kind.total)]
                + [0.5, 0.99].map { share in
                    LatencyBuckets.quantile(share, of: kind.latencies).map(Self.duration) ?? "longer"
                }
        }
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([headings] + rows).map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }
    }

    private static func line(_ name: String, _ value: String) -> String {
        "\(name):" + String(repeating: " ", count: max(1, 34 - name.count)) + value
    }

    private static func duration(_ microseconds: Int) -> String {
        switch microseconds {
        case ..<1000: "\(microseconds) us"
        case ..<10_000: "\(microseconds / 1000).\(microseconds % 1000 / 100) ms"
        case ..<1_000_000: "\(microseconds / 1000) ms"
        default: "\(microseconds / 1_000_000).\(microseconds % 1_000_000 / 100_000) s"
        }
    }
}
