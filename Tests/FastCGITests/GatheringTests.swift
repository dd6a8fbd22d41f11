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

    /// A gathering in which a group has just taken so many milliseconds.
    private func gathering(after milliseconds: Int) throws -> Gathering<Int> {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        #expect(gathering.add(0))
        let claim = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [0])
        gathering.end(claim, now: milliseconds)
        return gathering
    }

    @Test func groupsAreOfLimitedSizeAndNumber() throws {
        let gathering = try gathering(after: 2)
        for number in 1...8 {
            #expect(gathering.add(number))
        }
        let first = try #require(gathering.claim(now: 2))
        #expect(gathering.take() == [1, 2, 3])
        _ = try #require(gathering.claim(now: 2))
        #expect(gathering.claim(now: 2) == nil, "two others are at work")
        #expect(gathering.take() == [4, 5, 6])
        #expect(gathering.count == 2)
        gathering.end(first, now: 5)
        _ = try #require(gathering.claim(now: 5))
        #expect(gathering.take() == [7, 8])
        #expect(!gathering.isClaimable(now: 5), "nobody waits")
    }

    /// The more are in one, the less each costs.
    @Test func quickGroupsFollowEachOther() throws {
        for gathering in [Gathering<Int>(groupsAtOnce: 2, groupSize: 3), try gathering(after: 1)] {
            #expect(gathering.add(1))
            let first = try #require(gathering.claim(now: 1))
            #expect(gathering.take() == [1])
            #expect(gathering.add(2))
            #expect(gathering.add(3))
            #expect(gathering.claim(now: 1) == nil)
            #expect(!gathering.isClaimable(now: 2))
            #expect(gathering.isClaimable(now: 3), "it turns out not to be quick")
            #expect(gathering.add(4))
            #expect(gathering.isClaimable(now: 1), "the next one is full")
            #expect(gathering.take() == [2, 3, 4])
            #expect(gathering.add(5))
            #expect(gathering.claim(now: 1) == nil)
            gathering.end(first, now: 1)
            #expect(gathering.claim(now: 1) != nil)
        }
    }

    @Test func groupThatTakesLongHoldsNobodyUp() throws {
        let gathering = Gathering<Int>(groupsAtOnce: 1)
        #expect(gathering.add(1))
        _ = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [1])
        #expect(gathering.add(2))
        #expect(!gathering.isClaimable(now: 99))
        #expect(gathering.isClaimable(now: 100))
        let second = try #require(gathering.claim(now: 100))
        #expect(gathering.take() == [2])
        #expect(gathering.add(3))
        #expect(gathering.claim(now: 1000) == nil, "but not all threads are to wait for what hangs")
        gathering.end(second)
        #expect(gathering.claim(now: 1000) != nil)
    }

    @Test func whoClaimsMayFindNobodyLeft() throws {
        let gathering = try gathering(after: 2)
        #expect(gathering.add(1))
        _ = try #require(gathering.claim(now: 2))
        let second = try #require(gathering.claim(now: 2))
        #expect(gathering.take() == [1])
        #expect(gathering.take() == [])
        gathering.withdraw(second)
        #expect(gathering.add(2))
        #expect(gathering.claim(now: 2) != nil, "that nobody was left does not show how long a group takes")
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
