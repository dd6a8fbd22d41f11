/// How old a group is, in microseconds, when it does not keep others from being begun any more.
private let patienceMicroseconds = 100_000
/// How old a group is, in microseconds, when it is not quick any more.
private let quickMicroseconds = 500

/// Requests that wait to be answered together with others.
///
/// Whoever adds a request and finds nobody at work, or few enough, takes those who wait and works out their answers. Who
/// comes later waits for the next group, so a group is always begun after its last request has arrived. No thread waits
/// for another: a thread that adds a request while enough others are at work goes on to the next request.
final class Gathering<Waiter: Sendable>: Sendable {
    /// The right to work for a group.
    struct Claim {
        fileprivate let number: Int
    }

    private struct State {
        var waiting: [Waiter] = []
        /// What groups are being worked on, and since when in microseconds.
        var groups: [(number: Int, since: Int)] = []
        var lastNumber = 0
        /// Whether the group whose work ended last was quick.
        var isQuick = true

        /// Forgets a group; since when it was worked on.
        mutating func remove(_ claim: Claim) -> Int? {
            groups.firstIndex { $0.number == claim.number }.map { groups.remove(at: $0).since }
        }
    }

    private let state = Locked(State())
    private let groupsAtOnce: Int
    private let groupSize: Int
    private let capacity: Int

    /// Makes one in which nobody waits.
    ///
    /// - Parameters:
    ///   - groupsAtOnce: how many groups are worked on at a time: one if they are quick and not full, since each costs
    ///     less the more are in it; twice as many if some of them take long.
    ///   - groupSize: how many requests make a group, at most.
    ///   - capacity: how many requests may wait.
    init(groupsAtOnce: Int, groupSize: Int = .max, capacity: Int = .max) {
        self.groupsAtOnce = groupsAtOnce
        self.groupSize = groupSize
        self.capacity = capacity
    }

    /// Adds a request, after which `claim` has to be called; false, and nothing added, if too many wait.
    func add(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard state.waiting.count < capacity else {
                return false
            }
            state.waiting.append(waiter)
            return true
        }
    }

    /// The number of requests that wait for the next group.
    var count: Int {
        state.withLock { $0.waiting.count }
    }

    /// Whether requests wait for which `claim` would be granted.
    func isClaimable(now: Int = monotonicMicroseconds()) -> Bool {
        state.withLock { isClaimable($0, now) }
    }

    /// Lets the caller be the one who works for the next group; nil if enough others do, or nobody waits.
    ///
    /// With a claim the caller calls `take`, does what the group has in common, calls `end`, answers each of the group,
    /// and calls this again.
    func claim(now: Int = monotonicMicroseconds()) -> Claim? {
        state.withLock { state in
            guard isClaimable(state, now) else {
                return nil
            }
            state.lastNumber += 1
            state.groups.append((state.lastNumber, now))
            return Claim(number: state.lastNumber)
        }
    }

    private func isClaimable(_ state: State, _ now: Int) -> Bool {
        guard !state.waiting.isEmpty, state.groups.count < 2 * groupsAtOnce else {
            return false
        }
        // The next one gains by waiting for the present one, unless it is full already.
        if state.isQuick, state.waiting.count < groupSize,
            state.groups.contains(where: { now - $0.since < quickMicroseconds })
        {
            return false
        }
        return state.groups.count { now - $0.since < patienceMicroseconds } < groupsAtOnce
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

    /// Takes the one who has waited longest if `condition` holds for it.
    func takeFirst(where condition: (Waiter) -> Bool) -> Waiter? {
        state.withLock { state in
            guard let first = state.waiting.first, condition(first) else {
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Says that what a group has in common is done: the next one may be begun while its requests are being answered.
    func end(_ claim: Claim, now: Int = monotonicMicroseconds()) {
        state.withLock { state in
            if let since = state.remove(claim) {
                state.isQuick = now - since < quickMicroseconds
            }
        }
    }

    /// Gives a claim back with which no work was done.
    func withdraw(_ claim: Claim) {
        state.withLock { state in _ = state.remove(claim) }
    }
}
