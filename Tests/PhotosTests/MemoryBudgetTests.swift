import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Photos

@Suite struct MemoryBudgetTests {
    @Test func neverExceedsItsCapacity() {
        let budget = MemoryBudget(capacity: 100)
        let held = Atomic(0)
        let greatest = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            let share = 1 + number * 37 % 60
            try? budget.hold(share) { () throws(PhotoError) in
                let now = held.add(share, ordering: .relaxed).newValue
                greatest.max(now, ordering: .relaxed)
                // Long enough for others to come in, if they were let.
                usleep(100)
                held.subtract(share, ordering: .relaxed)
            }
        }
        #expect(greatest.load(ordering: .relaxed) <= 100)
        #expect(held.load(ordering: .relaxed) == 0)
    }

    @Test func whatExceedsTheCapacityRunsAlone() {
        let budget = MemoryBudget(capacity: 100)
        let running = Atomic(0)
        let meetings = Atomic(0)
        let finished = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            let exceeds = number % 3 == 0
            try? budget.hold(exceeds ? 1000 : 1) { () throws(PhotoError) in
                let others = running.add(1, ordering: .sequentiallyConsistent).oldValue
                usleep(100)
                if exceeds, others > 0 || running.load(ordering: .sequentiallyConsistent) > 1 {
                    meetings.add(1, ordering: .relaxed)
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
                finished.add(1, ordering: .relaxed)
            }
        }
        #expect(meetings.load(ordering: .relaxed) == 0)
        #expect(finished.load(ordering: .relaxed) == 200)
    }

    @Test func isGivenBackAfterAnError() throws {
        let budget = MemoryBudget(capacity: 100)
        #expect(throws: PhotoError.broken("x")) {
            try budget.hold(100) { () throws(PhotoError) in throw PhotoError.broken("x") }
        }
        try budget.hold(100) { () throws(PhotoError) in }
    }
}
