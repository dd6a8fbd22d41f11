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

    @Test func whatExceedsTheCapacityRunsAlone() throws {
        let budget = MemoryBudget(capacity: 100)
        #expect(try budget.hold(1000) { () throws(PhotoError) in 7 } == 7)
        #expect(try budget.hold(100) { () throws(PhotoError) in 8 } == 8)
    }

    @Test func isGivenBackAfterAnError() throws {
        let budget = MemoryBudget(capacity: 100)
        #expect(throws: PhotoError.broken("x")) {
            try budget.hold(100) { () throws(PhotoError) in throw PhotoError.broken("x") }
        }
        try budget.hold(100) { () throws(PhotoError) in }
    }
}
