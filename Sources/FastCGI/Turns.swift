internal import Synchronization

/// Lets only a few of many threads look for requests at a time; the others rest until one of these has to wait.
///
/// Waking a thread costs more than a quick request does. With as many threads at work as there are processors, each
/// finds its next request ready and hardly ever sleeps. Threads that wait for the database, the disk or a peer need
/// no processor, so they do not count: before it waits, a thread says so (`Turn.yield`), and when nobody would be left
/// at work, a resting one takes over. A thread that waits without a word is noticed by the watcher some milliseconds
/// later.
///
/// The count may for a moment be one too low, when the watcher takes the turn of a thread that is just ending its
/// request; then one thread more works until that thread's next turn. It is never too high.
final class Turns: @unchecked Sendable {
    // @unchecked: the variables are reached only while `change` is held.
    private let limit: Int
    /// Threads that look for requests or work on one without waiting.
    private let working = Atomic<Int>(0)
    private let change = Condition()
    private var resting = 0
    /// Turns that were given to resting threads, which have not woken up yet.
    private var granted = 0
    private var isOver = false
    /// Notices threads that wait without having said so.
    let watcher = TurnWatcher()

    /// Makes turns for any number of threads, of which at most `limit` work at a time without waiting.
    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Threads that rest.
    var restingCount: Int {
        change.withLock { resting }
    }

    /// Ends all rest, for good.
    func end() {
        change.withLock {
            isOver = true
            change.broadcast()
        }
        watcher.end()
    }

    /// Counts one more thread that works, and lets it rest if there are too many.
    func enter() {
        working.wrappingAdd(1, ordering: .acquiringAndReleasing)
        restIfCrowded()
    }

    /// Lets the calling thread, which is counted, rest if too many work.
    func restIfCrowded() {
        guard working.load(ordering: .relaxed) > limit else {
            return
        }
        change.withLock {
            guard !isOver, leaveIfCrowded() else {
                return
            }
            resting += 1
            while granted == 0 && !isOver {
                change.wait()
            }
            resting -= 1
            if granted > 0 {
                granted -= 1
            } else {
                working.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
        }
    }

    /// Stops counting the calling thread, but never the last one that is allowed.
    private func leaveIfCrowded() -> Bool {
        var count = working.load(ordering: .acquiring)
        while count > limit {
            let attempt = working.compareExchange(
                expected: count,
                desired: count - 1,
                ordering: .acquiringAndReleasing
            )
            if attempt.exchanged {
                return true
            }
            count = attempt.original
        }
        return false
    }

    /// Counts one thread less that works; if it was the last one, a resting one gets its turn.
    func leave() {
        guard working.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue <= 0 else {
            return
        }
        // Whoever goes to rest holds the lock from the moment it is no longer counted, so it is seen here.
        change.withLock {
            if resting > granted, working.load(ordering: .acquiring) <= 0 {
                granted += 1
                working.wrappingAdd(1, ordering: .acquiringAndReleasing)
                change.signal()
            }
        }
    }
}
