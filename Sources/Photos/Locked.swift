internal import Glibc

/// A value that only one thread at a time can touch.
///
/// A pthread mutex, since Thread Sanitizer understands it.
@safe final class Locked<Value: Sendable>: Sendable {
    // Immutable pointers; what they point to is touched by the pthread functions and under the mutex.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: Value) {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe mutex.deallocate()
    }

    /// Gives `body` the value, while all other threads wait.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value.pointee)
    }
}
