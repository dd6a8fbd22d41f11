/// Requests that wait to be answered together with others.
///
/// Whoever adds a request and finds nobody at work, or few enough, takes those who wait and works out their answers. Who
/// comes later waits for the next group, so a group is always begun after its last request has arrived. No thread waits
/// for another: a thread that adds a request while enough others are at work goes on to the next request.
final class Gathering<Waiter: Sendable>: Sendable {
    private struct State {
        var waiting: [Waiter] = []
        /// Groups that are being worked on.
        var groups = 0
    }

    private let state = Locked(State())
    private let groupsAtOnce: Int
    private let groupSize: Int

    /// Makes one in which nobody waits.
    ///
    /// - Parameters:
    ///   - groupsAtOnce: how many groups are worked on at a time, at most.
    ///   - groupSize: how many requests make a group, at most.
    init(groupsAtOnce: Int, groupSize: Int) {
        self.groupsAtOnce = groupsAtOnce
        self.groupSize = groupSize
    }

    /// Adds a request; `claim` has to be called after it.
    func add(_ waiter: Waiter) {
        state.withLock { $0.waiting.append(waiter) }
    }

    /// The number of requests that wait for the next group.
    var count: Int {
        state.withLock { $0.waiting.count }
    }

    /// Lets the caller be the one who works for the next group; false if enough others do, or nobody waits.
    ///
    /// After true the caller calls `take`, does what the group has in common, calls `end`, answers each of the group,
    /// and calls this again.
    func claim() -> Bool {
        state.withLock { state in
            guard state.groups < groupsAtOnce, !state.waiting.isEmpty else {
                return false
            }
            state.groups += 1
            return true
        }
    }

    /// Takes those who have waited longest, at least one unless another thread has taken them since; their work has to
    /// be begun after this.
    func take() -> [Waiter] {
        state.withLock { state in
            guard state.waiting.count > groupSize else {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(groupSize) }
            return Array(state.waiting.prefix(groupSize))
        }
    }

    /// Says that what a group has in common is done: the next one may be begun while its requests are being answered.
    func end() {
        state.withLock { $0.groups -= 1 }
    }
}
