import Glibc
import Synchronization
import Testing

@testable import FastCGI

@Suite struct TurnsTests {
    /// Threads that take turns and stop at a gate in each of them.
    private final class Crew: Sendable {
        let turns: Turns
        let members: [Turn]
        let inTurn = Atomic<Int>(0)
        let taken = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
        private let threads = Locked<[WorkerThread]>([])

        init(_ count: Int, limit: Int) {
            turns = Turns(limit: limit)
            members = (0..<count).map { [turns] _ in Turn(turns) }
        }

        /// Lets each thread do `body` in each of its turns.
        func start(_ body: @escaping @Sendable (Crew, Int) -> Void) throws {
            for number in members.indices {
                let thread = try WorkerThread(name: "member-\(number)") {
                    while true {
                        self.members[number].take()
                        if self.isOver.load(ordering: .relaxed) { return }
                        self.members[number].serve()
                        self.inTurn.wrappingAdd(1, ordering: .relaxed)
                        self.taken.wrappingAdd(1, ordering: .relaxed)
                        body(self, number)
                        self.inTurn.wrappingSubtract(1, ordering: .relaxed)
                    }
                }
                threads.withLock { $0.append(thread) }
            }
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            turns.end()
            for thread in threads.withLock({ $0 }) {
                thread.join()
            }
        }

        /// Who is in a turn.
        var serving: [Int] { members.indices.filter { members[$0].step.isServing } }

        /// Waits until so many threads are in a turn, and all others rest.
        func wait(for count: Int) -> Bool {
            for _ in 0..<1000 {
                if inTurn.load(ordering: .relaxed) == count, turns.restingCount == members.count - count {
                    return true
                }
                usleep(5000)
            }
            return false
        }
    }

    private final class Flags: Sendable {
        private let raised: Locked<Set<Int>> = Locked([])
        func raise(_ number: Int) { raised.withLock { _ = $0.insert(number) } }
        func wait(for number: Int) { while !raised.withLock({ $0.contains(number) }) { usleep(1000) } }
    }

    private final class Gate: Sendable {
        private let open = Atomic<Bool>(false)
        func wait() { while !open.load(ordering: .acquiring) { usleep(1000) } }
        func unlock() { open.store(true, ordering: .releasing) }
    }

    @Test func noMoreThreadsWorkThanAllowed() throws {
        let crew = Crew(8, limit: 3)
        let gate = Gate()
        try crew.start { _, _ in gate.wait() }
        #expect(crew.wait(for: 3))
        usleep(50_000)
        #expect(crew.inTurn.load(ordering: .relaxed) == 3)
        #expect(crew.turns.restingCount == 5)
        gate.unlock()
        crew.end()
    }

    @Test func whoWaitsMakesRoomOnceNobodyElseWorks() throws {
        let crew = Crew(4, limit: 2)
        let gate = Gate()
        let toYield = Flags()
        try crew.start { crew, number in
            toYield.wait(for: number)
            crew.members[number].yield()
            gate.wait()
        }
        #expect(crew.wait(for: 2))
        let (one, other) = (crew.serving[0], crew.serving[1])
        toYield.raise(one)
        usleep(50_000)
        #expect(crew.turns.restingCount == 2, "one of two waits, and the other still works")
        toYield.raise(other)
        #expect(crew.wait(for: 3))
        usleep(50_000)
        #expect(crew.turns.restingCount == 1, "one is enough")
        gate.unlock()
        for number in 0..<4 { toYield.raise(number) }
        crew.end()
    }

    @Test func allThreadsMayWaitAtOnce() throws {
        let crew = Crew(6, limit: 2)
        let gate = Gate()
        try crew.start { crew, number in
            crew.members[number].yield()
            crew.members[number].yield()
            gate.wait()
        }
        #expect(crew.wait(for: 6))
        #expect(crew.turns.restingCount == 0)
        gate.unlock()
        crew.end()
    }

    /// Nobody is forgotten: with every wake-up that could get lost the work would stop.
    @Test func workGoesOnWhateverTheOrder() throws {
        let crew = Crew(5, limit: 1)
        try crew.start { crew, number in
            if number % 2 == 0 {
                crew.members[number].yield()
            }
            if number == 3 {
                sched_yield()
            }
        }
        var last = 0
        for _ in 1...20 {
            usleep(10_000)
            let now = crew.taken.load(ordering: .relaxed)
            #expect(now > last)
            last = now
        }
        crew.end()
    }

    @Test func watcherTakesTheTurnOfWhoeverWaitsWithoutAWord() throws {
        let crew = Crew(3, limit: 1)
        let gate = Gate()
        try crew.start { _, _ in gate.wait() }
        #expect(crew.wait(for: 1))
        usleep(50_000)
        #expect(crew.inTurn.load(ordering: .relaxed) == 1)
        let watcher = try WorkerThread(name: "watcher") { crew.turns.watcher.watch(crew.members, every: 5) }
        #expect(crew.wait(for: 3))
        gate.unlock()
        crew.end()
        watcher.join()
    }

    @Test func sleepingWatcherWakesUpForTheNextRequest() throws {
        let turns = Turns(limit: 1)
        let (turn, other) = (Turn(turns), Turn(turns))
        let watcher = try WorkerThread(name: "watcher") { turns.watcher.watch([turn, other], every: 5) }
        turn.take()
        usleep(50_000)  // nothing is served, so the watcher has fallen asleep
        turn.serve()
        let second = try WorkerThread(name: "second") { other.take() }
        for _ in 0..<1000 where turns.restingCount == 0 { usleep(1000) }
        for _ in 0..<1000 where turns.restingCount > 0 { usleep(1000) }
        #expect(turns.restingCount == 0, "the second thread has its turn")
        turns.end()
        second.join()
        watcher.join()
    }
}
