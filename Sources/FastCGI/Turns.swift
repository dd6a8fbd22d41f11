internal import Glibc
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
@safe final class Turns: @unchecked Sendable {
    // @unchecked: the variables are reached only while `mutex` is held.
    private let limit: Int
    /// Threads that look for requests or work on one without waiting.
    private let working = Atomic<Int>(0)
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>
    private var resting = 0
    /// Turns that were given to resting threads, which have not woken up yet.
    private var granted = 0
    private var isOver = false
    private let isWatcherAsleep = Atomic<Bool>(false)
    private let watcherWakeUp: UnsafeMutablePointer<pthread_cond_t>

    /// Makes turns for any number of threads, of which at most `limit` work at a time without waiting.
    init(limit: Int) {
        self.limit = max(limit, 1)
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe change = .allocate(capacity: 1)
        unsafe change.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(change, nil)
        unsafe watcherWakeUp = .allocate(capacity: 1)
        unsafe watcherWakeUp.initialize(to: pthread_cond_t())
        // Waits with an end must not depend on somebody setting the clock.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(watcherWakeUp, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(watcherWakeUp)
        unsafe watcherWakeUp.deallocate()
        unsafe pthread_cond_destroy(change)
        unsafe change.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Threads that rest.
    var restingCount: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return resting
    }

    /// Ends all rest, for good.
    func end() {
        unsafe pthread_mutex_lock(mutex)
        isOver = true
        unsafe pthread_cond_broadcast(change)
        unsafe pthread_cond_broadcast(watcherWakeUp)
        unsafe pthread_mutex_unlock(mutex)
    }

    // MARK: What a turn does

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
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        guard !isOver, leaveIfCrowded() else {
            return
        }
        resting += 1
        while granted == 0 && !isOver {
            unsafe pthread_cond_wait(change, mutex)
        }
        resting -= 1
        if granted > 0 {
            granted -= 1
        } else {
            working.wrappingAdd(1, ordering: .acquiringAndReleasing)
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
        unsafe pthread_mutex_lock(mutex)
        if resting > granted, working.load(ordering: .acquiring) <= 0 {
            granted += 1
            working.wrappingAdd(1, ordering: .acquiringAndReleasing)
            unsafe pthread_cond_signal(change)
        }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Tells the watcher that something is served again.
    func wakeWatcher() {
        guard isWatcherAsleep.load(ordering: .sequentiallyConsistent) else {
            return
        }
        unsafe pthread_mutex_lock(mutex)
        isWatcherAsleep.store(false, ordering: .sequentiallyConsistent)
        unsafe pthread_cond_signal(watcherWakeUp)
        unsafe pthread_mutex_unlock(mutex)
    }

    // MARK: The watcher

    /// Takes the turn of each thread that has been in one request for `milliseconds`; returns after `end`.
    ///
    /// Sleeps as long as nothing is served.
    func watch(_ turns: [Turn], every milliseconds: Int) {
        var seen = turns.map(\.step)
        while pause(for: milliseconds) {
            let steps = turns.map(\.step)
            for (turn, (step, before)) in zip(turns, zip(steps, seen)) where step.isServing && step == before {
                turn.yield()
            }
            if steps == seen, !steps.contains(where: \.isServing) {
                sleepUntilOneServes(turns, since: steps)
            }
            seen = steps
        }
    }

    /// False once all is over.
    private func pause(for milliseconds: Int) -> Bool {
        var deadline = monotonicTime()
        deadline.tv_nsec += milliseconds * 1_000_000
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        if !isOver {
            unsafe pthread_cond_timedwait(watcherWakeUp, mutex, &deadline)
        }
        return !isOver
    }

    private func sleepUntilOneServes(_ turns: [Turn], since steps: [Turn.Step]) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        // A thread looks at this after it has begun to serve, and this looks at the threads after it: one of them sees
        // the other.
        isWatcherAsleep.store(true, ordering: .sequentiallyConsistent)
        while !isOver, turns.map(\.step) == steps, isWatcherAsleep.load(ordering: .sequentiallyConsistent) {
            unsafe pthread_cond_wait(watcherWakeUp, mutex)
        }
        isWatcherAsleep.store(false, ordering: .sequentiallyConsistent)
    }
}
