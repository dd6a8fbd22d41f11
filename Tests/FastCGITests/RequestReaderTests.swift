import Glibc
import Testing

@testable import FastCGI

/// What is read of a connection's bytes, however they arrive.
@Suite struct RequestReaderTests {
    private static let body = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    private static let request = Record.request([("PATH", "x"), ("LONG", longValue), ("", "nameless")], body: body)
    private static let longValue = String(repeating: "y", count: 200)

    /// What a request that was read to its end had.
    private struct Whole: Equatable {
        var path: String?
        var long: String?
        var body: [UInt8] = []
        var isWhole = false
        var keepsConnection = true
        var hasSurplus = false
    }

    private func readWhole(_ pair: SocketPair) -> Whole? {
        var reader = RequestReader()
        return readWhole(pair, &reader)
    }

    private func readWhole(_ pair: SocketPair, _ reader: inout RequestReader) -> Whole? {
        guard reader.readHead(pair.worker) == .request else {
            return nil
        }
        var whole = Whole()
        whole.path = reader.parameter("PATH").map { String(decoding: $0, as: UTF8.self) }
        whole.long = reader.parameter("LONG").map { String(decoding: $0, as: UTF8.self) }
        while let piece = reader.nextBodyPiece() {
            piece.lend { bytes in
                for index in bytes.indices {
                    whole.body.append(bytes[index])
                }
            }
        }
        if let exchange = reader.finish() {
            whole.isWhole = true
            whole.keepsConnection = exchange.keepsConnection
            whole.hasSurplus = exchange.hasSurplus
        }
        return whole
    }

    private static let expected = Whole(path: "x", long: longValue, body: body, isWhole: true)

    /// Each packet is received by itself, so every boundary is tried.
    @Test(arguments: 1..<RequestReaderTests.request.count)
    func arrivesInTwoPieces(split: Int) {
        let pair = SocketPair(.packets)
        pair.send(Array(Self.request[..<split]))
        pair.send(Array(Self.request[split...]))
        #expect(readWhole(pair) == Self.expected)
    }

    @Test(arguments: [1, 2, 3, 5, 7, 8, 9])
    func arrivesInManyPieces(length: Int) {
        let pair = SocketPair(.packets)
        var rest = Self.request[...]
        // A packet takes much more room than its bytes.
        let writer = Writer {
            while !rest.isEmpty {
                pair.send(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
        }
        #expect(readWhole(pair) == Self.expected)
        writer.join()
    }

    @Test func endsAnywhere() {
        for length in 0..<Self.request.count {
            let pair = SocketPair(.stream)
            pair.send(Array(Self.request[..<length]))
            pair.hangUp()
            let whole = readWhole(pair)
            #expect(whole?.isWhole != true, "cut after \(length) bytes")
        }
    }

    @Test func parametersAndBodyComeInAnyRecordsWithAnyPadding() {
        let pairs = Array("\u{4}\u{1}PATHx\u{4}".utf8) + [0x80, 0, 0, 200] + Array("LONG\(Self.longValue)".utf8)
        var bytes = Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).padded(3)
        for byte in pairs {
            bytes += Record(type: 4, content: [byte]).padded(255)
        }
        bytes += Record(type: 4).padded(1)
        for byte in Self.body {
            bytes += Record(type: 5, content: [byte]).padded(7)
        }
        let pair = SocketPair(.stream)
        pair.send(bytes + Record(type: 5).padded(8))
        #expect(readWhole(pair) == Self.expected)
    }

    @Test func firstOfSeveralValuesCounts() throws {
        let pair = SocketPair(.stream)
        pair.send(Record.request([("A", "1"), ("PATH", "first"), ("PATH", "second"), ("a", "2"), ("B\0", "\0b\0")]))
        var reader = RequestReader()
        let outcome = reader.readHead(pair.worker)
        #expect(outcome == .request)
        #expect(reader.parameter("PATH") == Array("first".utf8))
        #expect(reader.parameter("A") == Array("1".utf8))
        #expect(reader.parameter("B") == nil)
        #expect(reader.parameter("B\0") == [0, 0x62, 0])
        #expect(reader.parameter("") == nil)
    }

    /// A reader is used for request after request, whatever became of the one before.
    @Test func nothingStaysFromTheRequestBefore() {
        var reader = RequestReader()
        let other = Record.request([("OTHER", "x")], body: Self.body)
        let padded = Record.request([("OTHER", "x")]).dropLast(8) + Record(type: 5, content: Self.body).padded(200)[...]
        for before in [other[...], other.dropLast(100), other.dropLast(308), padded.dropLast(100), other.prefix(20)] {
            let pair = SocketPair(.stream)
            pair.send(Array(before))
            pair.hangUp()
            _ = readWhole(pair, &reader)
            let next = SocketPair(.stream)
            next.send(Self.request)
            #expect(readWhole(next, &reader) == Self.expected)
            #expect(reader.parameter("OTHER") == nil)
        }
    }

    @Test(arguments: [
        // A length that says more than there is: of a name, of a value, of four bytes of which not all are there.
        [5, 1, 0x41], [1, 5, 0x41, 0x42], [0xff, 0xff, 0xff, 0xff, 0, 0x41], [1, 0xff, 0xff, 0xff, 0xff, 0x41],
        [0x80, 0, 0], [1], [1, 0x80, 0],
    ])
    func parametersThatMakeNoSenseEndTheConnection(pairs: [UInt8]) {
        let pair = SocketPair(.stream)
        let start = Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes
        pair.send(start + Record(type: 4, content: pairs).bytes + Record(type: 4).bytes + Record(type: 5).bytes)
        #expect(readWhole(pair) == nil)
    }

    @Test func parametersHaveALimit() {
        for (length, isTaken) in [(1 << 20, true), ((1 << 20) + 1, false)] {
            let pair = SocketPair(.stream)
            var pairs: [UInt8] = [1, 0x80 | UInt8((length - 6) >> 24)]
            pairs += [UInt8((length - 6) >> 16 & 255), UInt8((length - 6) >> 8 & 255), UInt8((length - 6) & 255)]
            pairs += [0x41] + [UInt8](repeating: 0x62, count: length - 6)
            var bytes = Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes
            var rest = pairs[...]
            while !rest.isEmpty {
                bytes += Record(type: 4, content: Array(rest.prefix(65_535))).bytes
                rest = rest.dropFirst(65_535)
            }
            bytes += Record(type: 4).bytes + Record(type: 5).bytes
            let writer = Writer { pair.send(bytes) }
            #expect((readWhole(pair) != nil) == isTaken)
            pair.hangUpWorker()
            writer.join()
        }
    }

    @Test(arguments: [
        // A request that begins twice or with another length, a body before the parameters, and one that is given up
        // before it has come.
        start + start, [1, 1, 0, 1, 0, 7, 0, 0, 0, 1, 1, 0, 0, 0, 0], start + Record(type: 5, content: [1]).bytes,
        start + Record(type: 2).bytes,
        // Another version, be it of something that would be passed over.
        [0, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], [2, 5, 0, 9, 0, 0, 0, 0],
        // After a request that was refused on a connection that is not kept.
        [1, 1, 0, 9, 0, 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0],
        // Values are asked for in parameters that make no sense.
        [1, 9, 0, 0, 0, 1, 0, 0, 5],
    ])
    func whatBreaksTheProtocolEndsTheConnection(bytes: [UInt8]) {
        let pair = SocketPair(.stream)
        pair.send(bytes + Self.request)
        #expect(readWhole(pair) == nil)
    }

    @Test(arguments: [
        // Of requests that have not begun or were refused, and of the connection itself.
        Record(type: 2, requestID: 9), Record(type: 4, requestID: 9, content: [1, 1, 2, 2]),
        Record(type: 4, requestID: 9), Record(type: 5, requestID: 9, content: [1]),
        Record(type: 99, requestID: 9, content: [1]), Record(type: 1, requestID: 9, content: [0, 2, 1, 0, 0, 0, 0, 0]),
        Record(type: 1, requestID: 9, content: [1, 1, 1, 0, 0, 0, 0, 0]),
        Record(type: 1, requestID: 0, content: [0, 1, 1, 0, 0, 0, 0, 0]),
        Record(type: 4, requestID: 0, content: [1, 1, 2, 2]), Record(type: 9, requestID: 0),
        Record(type: 5, requestID: 0, content: [1]),
    ])
    func whatDoesNotBelongToARequestIsPassedOver(record: Record) {
        for place in [0, 16, Self.request.count - 8] {
            // Once a request has begun, another is refused in any role.
            let pair = SocketPair(.stream)
            pair.send(Self.request[..<place] + record.padded(9) + Self.request[place...])
            #expect(readWhole(pair) == Self.expected, "before byte \(place)")
        }
    }

    /// Of the flags only the first is known.
    @Test(arguments: [(0, false), (1, true), (2, false), (0xff, true)])
    func webServerTellsWhetherItKeepsTheConnection(flags: UInt8, keeps: Bool) {
        let pair = SocketPair(.stream)
        pair.send(Record(type: 1, content: [0, 1, flags, 0, 0, 0, 0, 0]).bytes + Self.request.dropFirst(16))
        #expect(readWhole(pair)?.keepsConnection == keeps)
    }

    private static let start = Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes

    @Test(arguments: [Record(type: 2), Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]), Record(type: 4)])
    func bodyEndsWithWhatDoesNotBelongThere(record: Record) {
        let pair = SocketPair(.stream)
        let head = Array(Record.request([("PATH", "x")]).dropLast(8))
        pair.send(head + Record(type: 5, content: [1, 2]).bytes + record.bytes + Record(type: 5).bytes)
        #expect(readWhole(pair) == Whole(path: "x", body: [1, 2]))
    }

    /// What follows it has been read with it and would be missing from the next request.
    @Test(arguments: [([], false), ([1], true)] as [([UInt8], Bool)])
    func moreThanTheRequestIsNoticed(surplus: [UInt8], isThere: Bool) {
        let pair = SocketPair(.stream)
        pair.send(Self.request + surplus)
        #expect(readWhole(pair)?.hasSurplus == isThere)
    }

    @Test func whatIsNoRequestIsTaken() {
        let pair = SocketPair(.stream)
        pair.send(Record(type: 9, requestID: 0).bytes + Record(type: 5, requestID: 7, content: [1]).bytes)
        var reader = RequestReader()
        let outcome = reader.readHead(pair.worker)
        #expect(outcome == .nothing)
        pair.send(Self.request)
        #expect(readWhole(pair) == Self.expected)
    }
}
