import Testing

@testable import FastCGI

@Suite struct GatheringTests {
    @Test func answerIsForThoseWhoWaitWhenItIsBegun() {
        let gathering = Gathering<Int>()
        #expect(gathering.begin() == nil)
        gathering.add(1)
        gathering.add(2)
        #expect(gathering.begin() == [1, 2])
        gathering.add(3)
        #expect(gathering.begin() == nil, "somebody is at work on an answer that 3 came too late for")
        gathering.end()
        #expect(gathering.begin() == [3])
        gathering.end()
        #expect(gathering.begin() == nil)
    }
}
