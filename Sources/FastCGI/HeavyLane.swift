/// A bounded queue before the threads that do heavy work.
///
/// What waits here holds its connection and what was read of its request, but no thread.
final class HeavyLane<Item: Sendable>: @unchecked Sendable {
    // @unchecked: the variables are reached only while `arrival` is held.
    private let arrival = Condition()
    private let capacity: Int
    /// What was taken from the front is nil, so that nothing of it stays.
    private var items: [Item?] = []
    private var first = 0
    private var closed = false

    /// Makes an empty lane in which at most `capacity` items wait.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of items that wait.
    var count: Int {
        arrival.withLock { items.count - first }
    }

    /// Adds an item at the end; false, and nothing added, when the lane is full or closed.
    func append(_ item: Item) -> Bool {
        arrival.withLock {
            if closed || items.count - first >= capacity {
                return false
            }
            items.append(item)
            arrival.signal()
            return true
        }
    }

    /// Waits for the first item and takes it; nil once the lane is closed and empty.
    func next() -> Item? {
        arrival.withLock {
            while first == items.count {
                if closed {
                    return nil
                }
                arrival.wait()
            }
            return removeFirst()
        }
    }

    /// Takes the first item if `condition` holds for it.
    func takeFirst(where condition: (Item) -> Bool) -> Item? {
        arrival.withLock {
            guard first < items.count, let item = items[first], condition(item) else {
                return nil
            }
            return removeFirst()
        }
    }

    private func removeFirst() -> Item? {
        let item = items[first]
        items[first] = nil
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
        arrival.withLock {
            closed = true
            arrival.broadcast()
        }
    }
}
