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

    @Test func groupsAreOfLimitedSizeAndNumber() throws {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        for number in 1...8 {
            #expect(gathering.add(number))
        }
        let first = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [1, 2, 3])
        _ = try #require(gathering.claim(now: 0))
        #expect(gathering.claim(now: 0) == nil, "two others are at work")
        #expect(gathering.take() == [4, 5, 6])
        #expect(gathering.count == 2)
        gathering.end(first)
        _ = try #require(gathering.claim(now: 0))
        #expect(gathering.take() == [7, 8])
        #expect(!gathering.isClaimable(now: 0), "nobody waits")
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

    @Test func whoClaimsMayFindNobodyLeft() {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        #expect(gathering.add(1))
        #expect(gathering.claim(now: 0) != nil)
        #expect(gathering.claim(now: 0) != nil)
        #expect(gathering.take() == [1])
        #expect(gathering.take() == [])
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
