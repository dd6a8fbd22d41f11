internal import FastCGI

/// What is noted of one request on its way: what it was, how it ended, and where its time went.
final class RequestTrace: @unchecked Sendable {
    // @unchecked: owned by one thread at a time; it changes hands only with its request.

    /// Where time goes; each moment is counted once.
    enum Phase: Int, CaseIterable {
        /// Receiving the request and reading its form.
        case reading
        /// Waiting for the heavy lane, or until it is answered together with others.
        case lane
        /// Waiting for the database.
        case database
        /// Reading and writing sessions, waiting for PHP's locks among it.
        case session
        /// Writing and flushing photos.
        case disk
        /// Hashing a password, decoding a photo and making its thumbnail.
        case work

        /// Its name in the slow log.
        var name: String { String(describing: self) }
    }

    /// What it asked for.
    var kind = RequestKind.other
    /// How it ended, where the reply does not tell.
    var outcome: RequestOutcome?
    /// Why its photo was not stored.
    var refusal: UploadRefusal?
    /// Bytes of the photo that it stored.
    var storedBytes = 0
    /// Photos that were in the place of the one it stored, and were moved.
    var photosSetAside = 0
    /// The client's address in text.
    let address: [UInt8]
    /// What the access log says of it; nil if there is none.
    let head: RequestHead?

    private let start = ContinuousClock.now
    private var times = InlineArray<6, Duration> { _ in .zero }

    /// Begins with a request whose head has been read.
    init(_ request: borrowing Request, forAccessLog isLogged: Bool) {
        address = request.parameter("REMOTE_ADDR") ?? []
        head = isLogged ? RequestHead(request) : nil
    }

    /// Begins with nothing; for tests.
    init(address: [UInt8] = [], head: RequestHead? = nil) {
        self.address = address
        self.head = head
    }

    /// Time since the beginning.
    var elapsed: Duration { ContinuousClock.now - start }

    /// Time spent in one phase.
    subscript(phase: Phase) -> Duration { times[phase.rawValue] }

    /// Notes an upload that is not stored.
    func refuse(_ reason: UploadRefusal) {
        refusal = reason
        if reason == .storage || reason == .database {
            outcome = .failed
        }
    }

    /// Adds time to a phase.
    func add(_ time: Duration, to phase: Phase) {
        times[phase.rawValue] += time
    }

    /// Does something and counts its time as a phase's.
    func measure<Result, Failure: Error>(
        _ phase: Phase,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer { add(ContinuousClock.now - start, to: phase) }
        return try body()
    }

    /// Ends a stretch of the request's way: what was not counted since the last one as another phase's is `phase`'s.
    func closeStretch(as phase: Phase) {
        let now = ContinuousClock.now
        var counted = Duration.zero
        for other in Phase.allCases {
            counted += times[other.rawValue]
        }
        let rest = (now - start) - counted
        if rest > .zero {
            add(rest, to: phase)
        }
    }
}
