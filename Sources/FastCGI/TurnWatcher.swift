internal import Synchronization

/// Takes the turns of threads that wait without having said so.
final class TurnWatcher: @unchecked Sendable {
    // @unchecked: `isOver` is reached only while `wakeUp` is held.
    private let wakeUp = Condition()
    private var isOver = false
    private let isAsleep = Atomic<Bool>(false)

    /// Takes the turn of each thread that has been in one request for `milliseconds`; returns after `end`.
    ///
    /// Sleeps as long as nothing is served.
    ///
    /// - Parameter alsoDo: what else is to be done at each look.
    func watch(_ turns: [Turn], every milliseconds: Int, alsoDo: () -> Void = {}) {
        var seen = turns.map(\.step)
        while pause(for: milliseconds) {
            let steps = turns.map(\.step)
            for (turn, (step, before)) in zip(turns, zip(steps, seen)) where step.isServing && step == before {
                turn.yield()
            }
            alsoDo()
            if steps == seen, !steps.contains(where: \.isServing) {
                sleepUntilOneServes(turns, since: steps)
            }
            seen = steps
        }
    }

    /// Hears that something is served again.
    func wake() {
        guard isAsleep.load(ordering: .sequentiallyConsistent) else {
            return
        }
        wakeUp.withLock {
            isAsleep.store(false, ordering: .sequentiallyConsistent)
            wakeUp.signal()
        }
    }

    /// Ends the watch, for good.
    func end() {
        wakeUp.withLock {
            isOver = true
            wakeUp.signal()
        }
    }

    /// False once all is over.
    private func pause(for milliseconds: Int) -> Bool {
        wakeUp.withLock {
            if !isOver {
                wakeUp.wait(milliseconds: milliseconds)
            }
            return !isOver
        }
    }

    private func sleepUntilOneServes(_ turns: [Turn], since steps: [Turn.Step]) {
        wakeUp.withLock {
            // A thread looks at this after it has begun to serve, and this looks at the threads after it: one of them
            // sees the other.
            isAsleep.store(true, ordering: .sequentiallyConsistent)
            while !isOver, turns.map(\.step) == steps, isAsleep.load(ordering: .sequentiallyConsistent) {
                wakeUp.wait()
            }
            isAsleep.store(false, ordering: .sequentiallyConsistent)
        }
    }
}
