internal import Synchronization

/// The counters of one thread: it alone adds to them, so that nothing is contended; any thread may read them.
final class Tally: Sendable {
    private static let capacity = 256
    private let values = InlineArray<256, Atomic<Int>> { _ in Atomic(0) }

    init() {
        precondition(Counter.count <= Self.capacity, "more counters than there is room for")
    }

    /// Adds to a counter.
    func add(_ counter: Counter, _ amount: Int = 1) {
        values[counter.index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// What was added to a counter.
    subscript(counter: Counter) -> Int {
        values[counter.index].load(ordering: .relaxed)
    }

    /// Counts a request that has ended.
    func count(_ trace: RequestTrace, _ outcome: RequestOutcome, microseconds: Int) {
        add(.requests(trace.kind, outcome))
        add(.latency(trace.kind, bucket: LatencyBuckets.index(of: microseconds)))
        add(.time(trace.kind), microseconds)
        if let refusal = trace.refusal {
            add(.refusals(refusal))
        }
        if trace.photosSetAside > 0 {
            add(.photosSetAside, trace.photosSetAside)
        }
        if trace.storedBytes > 0 {
            add(.uploads)
            add(.uploadedBytes, trace.storedBytes)
        }
    }
}
