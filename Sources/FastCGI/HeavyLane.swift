internal import Glibc

/// A bounded queue before the threads that do heavy work.
///
/// What waits here holds its connection and what was read of its request, but no thread.
@safe final class HeavyLane<Item: Sendable>: @unchecked Sendable {
    // @unchecked: `items` and `closed` are reached only while `mutex` is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<pthread_cond_t>
    private let capacity: Int
    private var items: [Item] = []
    private var first = 0
    private var closed = false

    /// Makes an empty lane in which at most `capacity` items wait.
    init(capacity: Int) {
        self.capacity = capacity
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe arrival = .allocate(capacity: 1)
        unsafe arrival.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(arrival, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(arrival)
        unsafe arrival.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// The number of items that wait.
    var count: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return items.count - first
    }

    /// Adds an item at the end; false, and nothing added, when the lane is full or closed.
    func append(_ item: Item) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        if closed || items.count - first >= capacity {
            return false
        }
        items.append(item)
        unsafe pthread_cond_signal(arrival)
        return true
    }

    /// Waits for the first item and takes it; nil once the lane is closed and empty.
    func next() -> Item? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while first == items.count {
            if closed {
                return nil
            }
            unsafe pthread_cond_wait(arrival, mutex)
        }
        return removeFirst()
    }

    /// Takes the first item if `condition` holds for it.
    func takeFirst(where condition: (Item) -> Bool) -> Item? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        guard first < items.count, condition(items[first]) else {
            return nil
        }
        return removeFirst()
    }

    private func removeFirst() -> Item {
        let item = items[first]
        first += 1
        // The consumed front is dropped now and then rather than each time, which would be quadratic.
        if first == items.count || first >= 256 {
            items.removeFirst(first)
            first = 0
        }
        return item
    }

    /// Lets `next` return nil once nothing waits any more.
    func close() {
        unsafe pthread_mutex_lock(mutex)
        closed = true
        unsafe pthread_cond_broadcast(arrival)
        unsafe pthread_mutex_unlock(mutex)
    }
}
