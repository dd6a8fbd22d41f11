import Testing

@testable import FastCGI

@Suite struct RecordEncoderTests {
    private static let end: [UInt8] = [
        1, 6, 0, 1, 0, 0, 0, 0,
        1, 3, 0, 1, 0, 8, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ]

    @Test func emptyReplyIsTwoClosingRecords() {
        var output: [UInt8] = []
        RecordEncoder.appendReply([], requestID: 1, to: &output)
        #expect(output == Self.end)
    }

    @Test(arguments: [1, 7, 8, 9, 100])
    func contentIsPaddedToEightBytes(length: Int) {
        let content = [UInt8](repeating: 0x61, count: length)
        let padding = (8 - length % 8) % 8
        var output: [UInt8] = []
        RecordEncoder.appendReply([content], requestID: 1, to: &output)
        let header: [UInt8] = [1, 6, 0, 1, 0, UInt8(length), UInt8(padding), 0]
        #expect(output == header + content + [UInt8](repeating: 0, count: padding) + Self.end)
    }

    @Test func requestIDIsInEveryRecord() {
        var output: [UInt8] = []
        RecordEncoder.appendReply([[1]], requestID: 0x1234, to: &output)
        for start in [0, 16, 24] {
            #expect(Array(output[start + 2..<start + 4]) == [0x12, 0x34])
        }
    }

    @Test func partsFollowEachOtherAcrossRecords() throws {
        let head = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let body = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var output: [UInt8] = []
        RecordEncoder.appendReply([head, [], body], requestID: 1, to: &output)
        let records = try Record.decodeAll(output)
        #expect(records.filter { $0.type == 6 }.flatMap(\.content) == head + body)
        #expect(records.map(\.content.count) == [65_528, 65_528, 19_944, 0, 8])
    }

    @Test func farewellFollowsTheEnd() {
        var output: [UInt8] = []
        RecordEncoder.appendReply([], requestID: 1, to: &output)
        RecordEncoder.appendFarewell(to: &output)
        #expect(output == Self.end + [1, 10, 0, 0, 0, 0, 0, 0])
    }

    @Test func clientNoticesWhatIsNoRecord() {
        var output: [UInt8] = []
        var records: [UInt8] = [1, 6, 0, 1, 0, 1, 0, 0, 0x61] + Array("HTTP/1.1 400 Bad Request".utf8)
        #expect(RecordDecoder.takeOutput(from: &records, into: &output) == nil)
        #expect(output == [0x61])
    }
}
