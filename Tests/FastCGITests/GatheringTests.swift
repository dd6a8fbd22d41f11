import Testing

@testable import FastCGI

@Suite struct GatheringTests {
    @Test func answerIsForThoseWhoWaitWhenItIsBegun() {
        let gathering = Gathering<Int>()
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
}
