import Testing

@testable import FastCGI

@Suite struct GatheringTests {
    @Test func answerIsForThoseWhoWaitWhenItIsBegun() throws {
        let gathering = Gathering<Int>(groupsAtOnce: 1)
        #expect(gathering.claim(now: 0) == nil)
        #expect(gathering.add(1))
        let first = try #require(gathering.claim(now: 0))
        #expect(gathering.add(2))
        #expect(gathering.take() == [1, 2])
        #expect(gathering.add(3))
        #expect(gathering.claim(now: 0) == nil, "somebody is at work on an answer that 3 came too late for")
        gathering.end(first)
        let second = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [3])
        gathering.end(second)
        #expect(gathering.claim(now: 0) == nil)
    }

    /// A gathering in which a group has just taken so many microseconds.
    private func gathering(after microseconds: Int) throws -> Gathering<Int> {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        #expect(gathering.add(0))
        let claim = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [0])
        gathering.end(claim, now: microseconds)
        return gathering
    }

    @Test func groupsAreOfLimitedSizeAndNumber() throws {
        let gathering = try gathering(after: 500)
        for number in 1...8 {
            #expect(gathering.add(number))
        }
        let first = try #require(gathering.claim(now: 500))
        #expect(gathering.take() == [1, 2, 3])
        _ = try #require(gathering.claim(now: 500))
        #expect(gathering.claim(now: 500) == nil, "two others are at work")
        #expect(gathering.take() == [4, 5, 6])
        #expect(gathering.count == 2)
        gathering.end(first, now: 1000)
        _ = try #require(gathering.claim(now: 1000))
        #expect(gathering.take() == [7, 8])
        #expect(!gathering.isClaimable(now: 1000), "nobody waits")
    }

    /// The more are in one, the less each costs.
    @Test func quickGroupsFollowEachOther() throws {
        for gathering in [Gathering<Int>(groupsAtOnce: 2, groupSize: 3), try gathering(after: 499)] {
            #expect(gathering.add(1))
            let first = try #require(gathering.claim(now: 1000))
            #expect(gathering.take() == [1])
            #expect(gathering.add(2))
            #expect(gathering.add(3))
            #expect(gathering.claim(now: 1000) == nil)
            #expect(!gathering.isClaimable(now: 1499))
            #expect(gathering.isClaimable(now: 1500), "it turns out not to be quick")
            #expect(gathering.add(4))
            #expect(gathering.isClaimable(now: 1000), "the next one is full")
            #expect(gathering.take() == [2, 3, 4])
            #expect(gathering.add(5))
            #expect(gathering.claim(now: 1000) == nil)
            gathering.end(first, now: 1000)
            #expect(gathering.claim(now: 1000) != nil)
        }
    }

    @Test func groupThatTakesLongHoldsNobodyUp() throws {
        let gathering = Gathering<Int>(groupsAtOnce: 1)
        #expect(gathering.add(1))
        _ = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [1])
        #expect(gathering.add(2))
        #expect(!gathering.isClaimable(now: 99_999))
        #expect(gathering.isClaimable(now: 100_000))
        let second = try #require(gathering.claim(now: 100_000))
        #expect(gathering.take() == [2])
        #expect(gathering.add(3))
        #expect(gathering.claim(now: 1_000_000) == nil, "but not all threads are to wait for what hangs")
        gathering.end(second)
        #expect(gathering.claim(now: 1_000_000) != nil)
    }

    @Test func whoClaimsMayFindNobodyLeft() throws {
        let gathering = try gathering(after: 500)
        #expect(gathering.add(1))
        _ = try #require(gathering.claim(now: 500))
        let second = try #require(gathering.claim(now: 500))
        #expect(gathering.take() == [1])
        #expect(gathering.take() == [])
        gathering.withdraw(second)
        #expect(gathering.add(2))
        #expect(gathering.claim(now: 500) != nil, "that nobody was left does not show how long a group takes")
    }

    @Test func noMoreWaitThanThereIsRoomFor() {
        let gathering = Gathering<Int>(groupsAtOnce: 1, groupSize: 1, capacity: 2)
        #expect(gathering.add(1))
        #expect(gathering.add(2))
        #expect(!gathering.add(3))
        #expect(gathering.takeFirst { $0 == 2 } == nil)
        #expect(gathering.takeFirst { $0 == 1 } == 1)
        #expect(gathering.add(4))
        #expect(gathering.take() == [2])
        #expect(gathering.take() == [4])
    }
}
