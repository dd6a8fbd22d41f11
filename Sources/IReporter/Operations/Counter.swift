/// One of the numbers that a `Tally` counts.
struct Counter: Equatable {
    /// Its place among all counters.
    let index: Int

    private static let kinds = RequestKind.allCases.count
    private static let outcomes = RequestOutcome.allCases.count
    private static let firstLatency = kinds * outcomes
    private static let firstTime = firstLatency + kinds * LatencyBuckets.count
    private static let firstRefusal = firstTime + kinds
    private static let firstSingle = firstRefusal + UploadRefusal.allCases.count

    /// Requests of a kind that ended so.
    static func requests(_ kind: RequestKind, _ outcome: RequestOutcome) -> Counter {
        Counter(index: kind.rawValue * outcomes + outcome.rawValue)
    }

    /// Requests of a kind whose duration is in a bucket.
    static func latency(_ kind: RequestKind, bucket: Int) -> Counter {
        Counter(index: firstLatency + kind.rawValue * LatencyBuckets.count + bucket)
    }

    /// Time that requests of a kind took, in microseconds.
    static func time(_ kind: RequestKind) -> Counter {
        Counter(index: firstTime + kind.rawValue)
    }

    /// Uploads not stored for a reason.
    static func refusals(_ reason: UploadRefusal) -> Counter {
        Counter(index: firstRefusal + reason.rawValue)
    }

    /// Photos stored.
    static let uploads = Counter(index: firstSingle)
    /// Bytes of the photos stored, as they were sent.
    static let uploadedBytes = Counter(index: firstSingle + 1)
    /// Connections made to the database.
    static let connects = Counter(index: firstSingle + 2)
    /// Attempts to connect to the database that failed.
    static let failedConnects = Counter(index: firstSingle + 3)
    /// Connections to the database that broke while they were used.
    static let lostConnections = Counter(index: firstSingle + 4)
    /// Requests slower than the slow log's limit.
    static let slow = Counter(index: firstSingle + 5)
    /// Requests that were given up.
    static let overdue = Counter(index: firstSingle + 6)
    /// Photos moved aside because their number was given to another one.
    static let photosSetAside = Counter(index: firstSingle + 7)

    /// How many there are.
    static let count = firstSingle + 8
}
