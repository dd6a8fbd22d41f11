/// What the log says of a slow request.
enum SlowLog {
    /// One line: what the request was, and where its time went, in milliseconds.
    static func line(_ trace: RequestTrace, _ outcome: RequestOutcome, _ elapsed: Duration) -> String {
        let phases = RequestTrace.Phase.allCases.map { "\($0.name) \(trace[$0].microseconds / 1000)" }
        let address = String(decoding: trace.address, as: UTF8.self)
        return "slow: \(trace.kind.name) \(address): \(outcome.name) in \(elapsed.microseconds / 1000) ms "
            + "(\(phases.joined(separator: ", ")))"
    }
}
