import Glibc
import Synchronization
import Testing

@testable import FastCGI

@Suite struct OccupationTests {
    private let occupation = Occupation(name: "worker-0")

    /// Two connected sockets.
    private final class Pair {
        var ends: [Int32] = [-1, -1]

        init() {
            unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        }

        deinit {
            close(ends[0])
            close(ends[1])
        }
    }

    @Test func idleThreadHasNothingToGiveUp() {
        #expect(occupation.age(now: monotonicMilliseconds()) == nil)
        #expect(occupation.giveUp(after: -1, grace: -1, now: monotonicMilliseconds()) == nil)
    }

    @Test func youngRequestIsLeftAlone() {
        occupation.begin(-1)
        #expect(occupation.giveUp(after: 60_000, grace: 0, now: monotonicMilliseconds()) == nil)
        #expect(!occupation.isStuck)
    }

    @Test func waitsAreEndedFirstAndTheConnectionIsShutThen() {
        let pair = Pair()
        let ended = Locked(0)
        occupation.setInterruption { ended.withLock { $0 += 1 } }
        occupation.begin(pair.ends[0])
        let now = monotonicMilliseconds()
        #expect(occupation.giveUp(after: 100, grace: 50, now: now + 200) == .waitsEnded)
        #expect(ended.withLock { $0 } == 1)
        #expect(occupation.giveUp(after: 100, grace: 200, now: now + 250) == nil)
        var byte: UInt8 = 0
        #expect(unsafe recv(pair.ends[1], &byte, 1, Int32(MSG_DONTWAIT)) == -1, "still open")
        #expect(occupation.giveUp(after: 100, grace: 50, now: now + 250) == .connectionShut)
        #expect(unsafe recv(pair.ends[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0, "shut")
        #expect(occupation.isStuck)
        #expect(occupation.giveUp(after: 100, grace: 50, now: now + 1000) == nil, "only once each")
        occupation.end()
        #expect(!occupation.isStuck)
        #expect(ended.withLock { $0 } == 1)
    }

    @Test func nextRequestIsNotGivenUpForThePreviousOne() {
        let now = monotonicMilliseconds()
        occupation.begin(-1)
        #expect(occupation.giveUp(after: 100, grace: 0, now: now + 200) == .waitsEnded)
        occupation.end()
        occupation.begin(-1)
        #expect(occupation.giveUp(after: 100, grace: 0, now: monotonicMilliseconds() + 50) == nil)
    }

    /// The thread cannot leave its request, and so close its connection, while the watchdog acts on it.
    @Test func threadWaitsForTheWatchdog() throws {
        let shared = Overlaps()
        occupation.setInterruption {
            shared.isActing.store(true, ordering: .sequentiallyConsistent)
            shared.acts.wrappingAdd(1, ordering: .relaxed)
            usleep(200)
            shared.isActing.store(false, ordering: .sequentiallyConsistent)
        }
        let occupation = occupation
        let watchdog = try WorkerThread(name: "watchdog") {
            while !shared.isOver.load(ordering: .relaxed) {
                _ = occupation.giveUp(after: -1, grace: 60_000, now: monotonicMilliseconds())
            }
        }
        while shared.acts.load(ordering: .relaxed) < 200 {
            occupation.begin(-1)
            occupation.end()
            if shared.isActing.load(ordering: .sequentiallyConsistent) {
                shared.count.wrappingAdd(1, ordering: .relaxed)
            }
        }
        shared.isOver.store(true, ordering: .relaxed)
        watchdog.join()
        #expect(shared.count.load(ordering: .relaxed) == 0)
    }

    private final class Overlaps: Sendable {
        let isActing = Atomic<Bool>(false)
        let isOver = Atomic<Bool>(false)
        /// How often the watchdog acted.
        let acts = Atomic<Int>(0)
        let count = Atomic<Int>(0)
    }
}
