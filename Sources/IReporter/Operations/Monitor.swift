public import FastCGI
internal import Glibc

/// Watches all requests of a worker: counts them, and writes the slow log and the access log.
public final class Monitor: Sendable {
    /// When the worker was started, in seconds since 1970.
    let startTime = time(nil)
    /// Where requests are logged; nil for nowhere.
    public let accessLog: AccessLog?
    /// Duration from which a request is slow; nil if none is.
    private let slowLimit: Duration?
    private let start = ContinuousClock.now
    private let tallies = Locked<[Tally]>([])
    private let common = Tally()

    /// Makes what the settings ask for.
    ///
    /// - Throws: `AccessLogError` if the access log cannot be opened.
    public init(_ settings: OperationSettings) throws(AccessLogError) {
        slowLimit = settings.slowMilliseconds > 0 ? .milliseconds(settings.slowMilliseconds) : nil
        accessLog = try AccessLog(settings)
    }

    /// Seconds since the start.
    var uptime: Int { Int((ContinuousClock.now - start).components.seconds) }

    /// Makes the counters of one more thread.
    func makeTally() -> Tally {
        let tally = Tally()
        tallies.withLock { $0.append(tally) }
        return tally
    }

    /// The sum of all threads' counters.
    subscript(counter: Counter) -> Int {
        tallies.withLock { $0.reduce(common[counter]) { $0 + $1[counter] } }
    }

    /// Begins a request.
    func begin(_ request: borrowing Request) -> RequestTrace {
        RequestTrace(request, forAccessLog: accessLog != nil)
    }

    /// Ends a request.
    ///
    /// - Parameters:
    ///   - response: what it is answered with; nil for nothing.
    ///   - tally: the thread's counters; nil where no worker's thread ended it.
    func end(_ trace: RequestTrace, _ response: Response?, _ tally: Tally? = nil) {
        let outcome = trace.outcome ?? Self.outcome(of: response)
        let elapsed = trace.elapsed
        (tally ?? common).count(trace, outcome, microseconds: elapsed.microseconds)
        if let slowLimit, elapsed >= slowLimit {
            (tally ?? common).add(.slow)
            Log.write(SlowLog.line(trace, outcome, elapsed))
        }
        if let accessLog, let head = trace.head {
            accessLog.write(
                AccessLogEntry(
                    trace,
                    head,
                    outcome,
                    bytes: response?.body.count ?? 0,
                    microseconds: elapsed.microseconds
                )
            )
        }
    }

    /// Counts and logs requests that were given up.
    public func note(_ overdue: [OverdueRequest]) {
        for request in overdue {
            if request.isConnectionShut {
                Log.write(
                    "\(request.thread): its request did not end; its connection was shut after \(request.age) ms"
                )
            } else {
                common.add(.overdue)
                Log.write("\(request.thread): a request has run for \(request.age) ms and is given up")
            }
        }
    }

    private static func outcome(of response: Response?) -> RequestOutcome {
        guard let response else {
            return .abandoned
        }
        return isError(response) ? .refused : .ok
    }

    /// Whether a reply tells of an error.
    static func isError(_ response: Response) -> Bool {
        errorStarts.contains { response.body.starts(with: $0) }
    }

    /// How the replies of the three backends tell of an error.
    private static let errorStarts = [#"{"error":"#, #"{"success":0"#, #"{"Message":"#].map { Array($0.utf8) }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
