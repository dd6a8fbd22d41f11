import Testing

@testable import FastCGI

@Suite struct GatheringTests {
    @Test func answerIsForThoseWhoWaitWhenItIsBegun() {
        let gathering = Gathering<Int>(groupsAtOnce: 1, groupSize: .max)
        #expect(!gathering.claim())
        gathering.add(1)
        #expect(gathering.claim())
        gathering.add(2)
        #expect(gathering.take() == [1, 2])
        gathering.add(3)
        #expect(!gathering.claim(), "somebody is at work on an answer that 3 came too late for")
        gathering.end()
        #expect(gathering.claim())
        #expect(gathering.take() == [3])
        gathering.end()
        #expect(!gathering.claim())
    }

    @Test func groupsAreOfLimitedSizeAndNumber() {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        for number in 1...8 {
            gathering.add(number)
        }
        #expect(gathering.claim())
        #expect(gathering.take() == [1, 2, 3])
        #expect(gathering.claim())
        #expect(!gathering.claim(), "two others are at work")
        #expect(gathering.take() == [4, 5, 6])
        #expect(gathering.count == 2)
        gathering.end()
        #expect(gathering.claim())
        #expect(gathering.take() == [7, 8])
        gathering.end()
        gathering.end()
        #expect(!gathering.claim(), "nobody waits")
    }

    @Test func whoClaimsMayFindNobodyLeft() {
        let gathering = Gathering<Int>(groupsAtOnce: 2, groupSize: 3)
        gathering.add(1)
        #expect(gathering.claim())
        #expect(gathering.claim())
        #expect(gathering.take() == [1])
        #expect(gathering.take() == [])
    }
}
