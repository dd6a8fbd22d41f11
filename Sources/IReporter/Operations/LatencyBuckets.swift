/// The buckets of the latency histograms.
enum LatencyBuckets {
    /// Upper bounds in microseconds; beyond the last one is one bucket more.
    static let bounds = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        5_000_000, 10_000_000,
    ]
    /// How many buckets there are.
    static let count = bounds.count + 1

    /// The bucket of a duration in microseconds.
    static func index(of microseconds: Int) -> Int {
        bounds.firstIndex { microseconds <= $0 } ?? bounds.count
    }

    /// The bound under which a share of the counted durations lies, in microseconds; nil if it is beyond the last
    /// bound, or nothing was counted.
    static func quantile(_ share: Double, of counts: [Int]) -> Int? {
        let total = counts.reduce(0, +)
        let wanted = max(1, Int((Double(total) * share).rounded(.up)))
        var sum = 0
        for (index, count) in counts.enumerated() {
            sum += count
            if sum >= wanted {
                return index < bounds.count ? bounds[index] : nil
            }
        }
        return nil
    }
}
