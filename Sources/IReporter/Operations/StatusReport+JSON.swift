internal import FastCGI

extension StatusReport {
    /// For programs: one JSON object; durations in microseconds, each bucket's count without those before it.
    public var json: String {
        var fields = [
            #""version":"\#(version)""#, #""process":\#(process)"#,
            #""state":"\#(server.isStopping ? "stopping" : "serving")""#,
        ]
        fields += metrics.map { "\"\($0.name.replacing(" ", with: "_"))\":\($0.value)" }
        fields.append("\"uploads_refused\":\(Self.object(refusals.map { ($0.reason.name, "\($0.count)") }))")
        fields.append("\"commands\":\(Self.object(kinds.map { ($0.kind.name, Self.json($0)) }))")
        return "{\(fields.joined(separator: ","))}\n"
    }

    private static func json(_ kind: Kind) -> String {
        let outcomes = RequestOutcome.allCases.map { ($0.name, "\(kind.outcomes[$0.rawValue])") }
        let bounds = LatencyBuckets.bounds.map { "\($0)" } + ["more"]
        return object([
            ("requests", "\(kind.total)"), ("outcomes", object(outcomes)), ("microseconds", "\(kind.microseconds)"),
            ("latency", object(Array(zip(bounds, kind.latencies.map { "\($0)" })))),
        ])
    }

    private static func object(_ fields: [(String, String)]) -> String {
        "{\(fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
    }
}
