internal import Synchronization

/// One thread's part in `Turns`.
final class Turn: Sendable {
    /// How often the thread has begun to look for a request and to serve one; the watcher sees by it that time passes.
    struct Step: Equatable {
        fileprivate var count = 0

        /// Whether the thread is serving a request.
        var isServing: Bool { count % 2 == 1 }
    }

    private let turns: Turns
    private let isCounted = Atomic<Bool>(false)
    private let steps = Atomic<Int>(0)

    /// Makes the part of one thread, which has yet to `take` its turn.
    init(_ turns: Turns) {
        self.turns = turns
    }

    /// Where the thread is.
    var step: Step { Step(count: steps.load(ordering: .sequentiallyConsistent)) }

    /// Waits until the thread may look for a request.
    func take() {
        let count = steps.load(ordering: .relaxed)
        steps.store(count + count % 2, ordering: .relaxed)
        if isCounted.exchange(true, ordering: .acquiringAndReleasing) {
            turns.restIfCrowded()
        } else {
            turns.enter()
        }
    }

    /// Says that the thread has found a request.
    func serve() {
        steps.store(steps.load(ordering: .relaxed) | 1, ordering: .sequentiallyConsistent)
        turns.watcher.wake()
    }

    /// Says that the thread, or whoever says so in its place, is about to wait for something; until it takes its next
    /// turn, others look for requests.
    func yield() {
        if isCounted.exchange(false, ordering: .acquiringAndReleasing) {
            turns.leave()
        }
    }
}
