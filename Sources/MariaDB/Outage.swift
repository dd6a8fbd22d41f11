internal import Glibc

/// Paces connection attempts while the server refuses them.
struct Outage {
    /// Time between two attempts: short for a server that comes back, long enough not to hammer it.
    private static let interval = Duration.milliseconds(50)

    private var firstRefusal: ContinuousClock.Instant?
    private var lastRefusal: ContinuousClock.Instant?

    /// Holds this thread until the next attempt is due.
    func pause() {
        guard let lastRefusal else { return }
        let remaining = Self.interval - (ContinuousClock.now - lastRefusal)
        // A signal may cut it short, which does no harm.
        if remaining > .zero { usleep(useconds_t(remaining / .microseconds(1))) }
    }

    /// Notes a refusal.
    ///
    /// - Returns: whether the outage is still younger than `patience`, so that another attempt is worth waiting for.
    mutating func refused(at now: ContinuousClock.Instant, patience: Duration) -> Bool {
        lastRefusal = now
        let start = firstRefusal ?? now
        firstRefusal = start
        return now - start < patience
    }

    /// Notes that the server is there.
    mutating func ended() {
        firstRefusal = nil
        lastRefusal = nil
    }
}
