internal import Glibc

/// A lock, and a place to wait until something that it guards has changed.
///
/// As with every condition, who waits looks again at what it waits for each time `wait` returns.
@safe final class Condition: @unchecked Sendable {
    // @unchecked: the pointers never change, and what they point to is made to be shared.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe change = .allocate(capacity: 1)
        unsafe change.initialize(to: pthread_cond_t())
        // Waits with an end must not depend on somebody setting the clock.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(change, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe change.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` while no other thread holds the lock; not reentrant.
    func withLock<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Lets go of the lock, which the caller holds, until a signal comes.
    func wait() {
        unsafe pthread_cond_wait(change, mutex)
    }

    /// As `wait`, but no longer than so many milliseconds.
    func wait(milliseconds: Int) {
        var deadline = monotonicTime()
        deadline.tv_nsec += milliseconds * 1_000_000
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        unsafe pthread_cond_timedwait(change, mutex, &deadline)
    }

    /// Wakes one of the threads that wait.
    func signal() {
        unsafe pthread_cond_signal(change)
    }

    /// Wakes every thread that waits.
    func broadcast() {
        unsafe pthread_cond_broadcast(change)
    }
}
