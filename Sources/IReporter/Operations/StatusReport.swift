public import FastCGI
internal import Glibc

/// Everything the status tells, read at one moment.
public struct StatusReport: Sendable {
    /// The requests of one kind.
    struct Kind: Sendable {
        let kind: RequestKind
        /// By outcome.
        let outcomes: [Int]
        /// By duration.
        let latencies: [Int]
        /// The sum of their durations, in microseconds.
        let microseconds: Int

        var total: Int { outcomes.reduce(0, +) }
    }

    let version: String
    let process = getpid()
    let startTime: Int
    let uptime: Int
    let server: ServerStatistics
    let kinds: [Kind]
    let refusals: [(reason: UploadRefusal, count: Int)]
    /// By `Counter.index`.
    private let counters: [Int]

    /// Reads all counters.
    public init(_ monitor: Monitor, _ server: ServerStatistics, version: String) {
        self.version = version
        self.server = server
        startTime = monitor.startTime
        uptime = monitor.uptime
        kinds = RequestKind.allCases.map { kind in
            Kind(
                kind: kind,
                outcomes: RequestOutcome.allCases.map { monitor[.requests(kind, $0)] },
                latencies: (0..<LatencyBuckets.count).map { monitor[.latency(kind, bucket: $0)] },
                microseconds: monitor[.time(kind)]
            )
        }
        refusals = UploadRefusal.allCases.map { ($0, monitor[.refusals($0)]) }
        counters = (0..<Counter.count).map { monitor[Counter(index: $0)] }
    }

    private subscript(counter: Counter) -> Int { counters[counter.index] }

    /// Log-ins that the limits of attempts refused.
    var throttledLogins: Int {
        kinds.reduce(0) { $0 + $1.outcomes[RequestOutcome.throttled.rawValue] }
    }

    /// Everything but what is counted by command: name, value, and what a collector of metrics is told of it.
    var metrics: [Metric] {
        [
            Metric("start time", "start_time_seconds", startTime, .gauge, "When the worker was started."),
            Metric("uptime", "uptime_seconds", uptime, .gauge, "Seconds since then."),
            Metric(
                "accepted connections",
                "connections_accepted_total",
                server.accepted,
                .counter,
                "Connections taken."
            ),
            Metric("idle connections", "connections_idle", server.idleConnections, .gauge, "Connections kept open."),
            Metric(
                "queue depth",
                "queue_depth",
                server.queueDepth,
                .gauge,
                "Requests that no thread has begun to read."
            ),
            Metric("workers", "workers", server.workers, .gauge, "Threads for quick requests."),
            Metric("active workers", "workers_active", server.activeWorkers, .gauge, "Those that have a request."),
            Metric(
                "idle workers",
                "workers_idle",
                server.workers - server.activeWorkers,
                .gauge,
                "Those that have none."
            ),
            Metric("heavy workers", "heavy_workers", server.heavyWorkers, .gauge, "Threads for heavy requests."),
            Metric(
                "active heavy workers",
                "heavy_workers_active",
                server.activeHeavyWorkers,
                .gauge,
                "Those that have a request."
            ),
            Metric(
                "waiting heavy requests",
                "heavy_requests_waiting",
                server.waitingHeavy,
                .gauge,
                "Heavy requests that wait for a thread."
            ),
            Metric(
                "waiting shared requests",
                "shared_requests_waiting",
                server.waitingShared,
                .gauge,
                "Requests that wait to be answered together with others."
            ),
            Metric(
                "oldest request ms",
                "oldest_request_milliseconds",
                server.oldestRequest,
                .gauge,
                "How long the oldest running request has been worked on."
            ),
            Metric("slow requests", "slow_requests_total", self[.slow], .counter, "Requests in the slow log."),
            Metric(
                "given up requests",
                "overdue_requests_total",
                self[.overdue],
                .counter,
                "Requests beyond the time limit."
            ),
            Metric(
                "stuck threads",
                "stuck_threads",
                server.stuckWorkers + server.stuckHeavyWorkers,
                .gauge,
                "Threads that did not come back from a request given up."
            ),
            Metric(
                "database connections",
                "database_connects_total",
                self[.connects],
                .counter,
                "Connections made to the database, those made again among them."
            ),
            Metric(
                "failed database connections",
                "database_connect_failures_total",
                self[.failedConnects],
                .counter,
                "Attempts to connect to the database that failed."
            ),
            Metric(
                "lost database connections",
                "database_connections_lost_total",
                self[.lostConnections],
                .counter,
                "Connections to the database that broke."
            ),
            Metric("uploads stored", "uploads_total", self[.uploads], .counter, "Photos stored."),
            Metric("upload bytes", "upload_bytes_total", self[.uploadedBytes], .counter, "Bytes of the photos stored."),
            Metric(
                "photos set aside",
                "photos_set_aside_total",
                self[.photosSetAside],
                .counter,
                "Photos moved aside because their number was given to another one."
            ),
            Metric(
                "throttled logins",
                "throttled_logins_total",
                throttledLogins,
                .counter,
                "Log-ins refused for too many attempts."
            ),
        ]
    }

    /// One number of the report.
    struct Metric {
        /// How a collector treats a number.
        enum Kind: String {
            /// It only grows.
            case counter
            /// It goes up and down.
            case gauge
        }

        /// In text and, with underscores, in JSON.
        let name: String
        /// In Prometheus, after `ireporter_`.
        let exportedName: String
        let value: Int
        let kind: Kind
        let help: String

        init(_ name: String, _ exportedName: String, _ value: Int, _ kind: Kind, _ help: String) {
            self.name = name
            self.exportedName = exportedName
            self.value = value
            self.kind = kind
            self.help = help
        }
    }
}
