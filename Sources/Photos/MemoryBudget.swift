internal import Glibc

/// Bounds the memory that decoders hold at once, over all threads.
///
/// Decoding a usual photo takes less than a megabyte besides its file. A progressive or interlaced one has to be kept
/// as a whole (36 MB for 12 megapixels); a few of these at once fill the machine and are no faster than one after
/// the other, so they wait for each other here.
@safe final class MemoryBudget: Sendable {
    /// Bytes that may be held at once.
    let capacity: Int

    // A pthread mutex, since Thread Sanitizer understands it, and since a condition is needed too.
    // Immutable pointers to memory which only the pthread functions and the holder of the mutex touch.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    private struct State {
        /// Bytes held now.
        var held = 0
        /// The number that the next to arrive draws.
        var nextTicket = 0
        /// The number whose turn it is.
        var turn = 0
    }

    init(capacity: Int) {
        self.capacity = capacity
        returnLargeBlocksWhenFreed()
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
        unsafe state.initialize(to: State())
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
        unsafe state.deallocate()
    }

    /// Runs `body` once `bytes` may be held, in the order of arrival.
    ///
    /// What exceeds the capacity by itself runs alone.
    func hold<Result>(
        _ bytes: Int,
        _ body: () throws(PhotoError) -> Result
    ) throws(PhotoError) -> Result {
        let share = min(bytes, capacity)
        unsafe pthread_mutex_lock(mutex)
        // Through the pointer each time: other threads change the state during the wait.
        let ticket = unsafe state.pointee.nextTicket
        unsafe state.pointee.nextTicket += 1
        while unsafe state.pointee.turn != ticket || state.pointee.held + share > capacity {
            unsafe pthread_cond_wait(changed, mutex)
        }
        unsafe state.pointee.held += share
        unsafe state.pointee.turn += 1
        unsafe pthread_cond_broadcast(changed)
        unsafe pthread_mutex_unlock(mutex)
        defer {
            unsafe pthread_mutex_lock(mutex)
            unsafe state.pointee.held -= share
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body()
    }
}
