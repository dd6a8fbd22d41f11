import Testing

@testable import IReporter

@Suite struct KeptStreamTests {
    private func owners(_ rows: [(Int64, Int64?)]) -> [KeptStream.Owner] {
        rows.map { KeptStream.Owner(photo: $0, user: $1) }
    }

    private func rows(_ ids: some Sequence<Int64>, of user: Int64? = 7) -> [(Int64, Int64?)] {
        ids.map { ($0, user) }
    }

    @Test func listThatIsNotFullIsProvedByAllIDs() throws {
        #expect(try #require(KeptStream.window(of: [], among: [])) == (.min, []))
        #expect(try #require(KeptStream.window(of: [3, 1], among: owners(rows([3, 1])))) == (.min, [3, 1]))
    }

    @Test func fullListIsProvedFromItsLowestIDUpward() throws {
        let shown = Array((51...100 as ClosedRange<Int64>).reversed())
        let all = owners(rows((1...100).reversed()))
        #expect(try #require(KeptStream.window(of: shown, among: all)) == (51, shown))
    }

    @Test func photosWithoutTheirUserAreCompared() throws {
        let window = KeptStream.window(of: [5, 2], among: owners([(5, 7), (4, 99), (3, 99), (2, 7)]))
        #expect(try #require(window) == (.min, [5, 4, 3, 2]))
    }

    @Test func photoThatCameAfterTheOwnersWereReadIsCompared() throws {
        #expect(try #require(KeptStream.window(of: [6, 5], among: owners([(5, 7)]))) == (.min, [6, 5]))
    }

    @Test(arguments: [0, nil] as [Int64?])
    func listIsNotKeptWhileAPhotoIsOnItsWay(user: Int64?) {
        #expect(KeptStream.window(of: [5, 3], among: owners([(5, 7), (4, user), (3, 7)])) == nil)
    }

    @Test func photoOnItsWayBelowAFullListDoesNotMatter() throws {
        let shown = Array((51...100 as ClosedRange<Int64>).reversed())
        #expect(KeptStream.window(of: shown, among: owners(rows(shown) + [(50, 0)])) != nil)
    }

    @Test func listIsNotKeptIfTheHundredNewestRowsDoNotReachItsEnd() {
        // Full, but its last photos lie below the rows that are known.
        let gone = rows((200...299).reversed(), of: 99)
        #expect(KeptStream.window(of: Array((1...50).reversed()), among: owners(gone)) == nil)
        #expect(KeptStream.window(of: [2, 1], among: owners(gone)) == nil)
        #expect(KeptStream.window(of: [], among: owners(gone)) == nil)
    }
}
