/// Requests that wait for one answer which will do for all of them.
///
/// Whoever adds a request and finds nobody at work on an answer takes everyone who waits and works one out. Who
/// comes later waits for the next answer, so an answer is always begun after its last request has arrived. No
/// thread waits for another: a thread that adds a request while somebody is at work goes on to the next request.
final class Gathering<Waiter: Sendable>: Sendable {
    private struct State {
        var waiting: [Waiter] = []
        var isBeingAnswered = false
    }

    private let state = Locked(State())

    /// Adds a request; `claim` has to be called after it.
    func add(_ waiter: Waiter) {
        state.withLock { $0.waiting.append(waiter) }
    }

    /// Lets the caller be the one who answers; false if somebody else is, or nobody waits.
    ///
    /// After true the caller calls `take`, works out the answer, calls `end`, hands the answer to those it took, and
    /// calls this again.
    func claim() -> Bool {
        state.withLock { state in
            guard !state.isBeingAnswered, !state.waiting.isEmpty else {
                return false
            }
            state.isBeingAnswered = true
            return true
        }
    }

    /// Takes everyone who waits; the answer has to be begun after this.
    func take() -> [Waiter] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Says that the answer is there: the next one may be begun while this one is being sent.
    func end() {
        state.withLock { $0.isBeingAnswered = false }
    }
}
