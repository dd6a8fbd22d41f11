import FastCGI
import Testing

@testable import IReporter

@Suite struct MonitorTests {
    private let monitor: Monitor

    init() throws {
        monitor = try Monitor(OperationSettings())
    }

    private func end(_ kind: RequestKind, _ body: String?, _ change: (RequestTrace) -> Void = { _ in }) {
        let trace = RequestTrace()
        trace.kind = kind
        change(trace)
        monitor.end(trace, body.map { Response(head: [], body: Array($0.utf8)) }, monitor.makeTally())
    }

    @Test(arguments: [
        (#"{"result":[]}"# as String?, RequestOutcome.ok), (#"{"error":"Authorization failed"}"#, .refused), ("", .ok),
        (#"{"success":1}"#, .ok), (#"{"success":0,"error_message":"Invalid Data."}"#, .refused),
        (#"{"Message":"No Access","Reason":"x"}"#, .refused), (nil, .abandoned),
    ])
    func replyTellsTheOutcome(body: String?, outcome: RequestOutcome) {
        end(.login, body)
        for other in RequestOutcome.allCases {
            #expect(monitor[.requests(.login, other)] == (other == outcome ? 1 : 0))
        }
        #expect(monitor[.requests(.register, outcome)] == 0)
    }

    @Test func whatIsNotedHasPrecedenceOverTheReply() {
        end(.login, #"{"error":"x"}"#) { $0.outcome = .throttled }
        #expect(monitor[.requests(.login, .throttled)] == 1)
        #expect(monitor[.requests(.login, .refused)] == 0)
    }

    @Test(arguments: UploadRefusal.allCases)
    func refusalsAreCountedByReason(reason: UploadRefusal) {
        end(.upload, #"{"error":"x"}"#) { $0.refuse(reason) }
        for other in UploadRefusal.allCases {
            #expect(monitor[.refusals(other)] == (other == reason ? 1 : 0))
        }
        let isOurs = reason == .storage || reason == .database
        #expect(monitor[.requests(.upload, isOurs ? .failed : .refused)] == 1)
    }

    @Test func photosAndTheirBytesAreCounted() {
        end(.upload, #"{"successful":1}"#) { $0.storedBytes = 1000 }
        end(.upload, #"{"successful":1}"#) { $0.storedBytes = 234 }
        #expect(monitor[.uploads] == 2)
        #expect(monitor[.uploadedBytes] == 1234)
        end(.upload, #"{"error":"x"}"#) { $0.photosSetAside = 1 }
        #expect(monitor[.photosSetAside] == 1)
    }

    @Test func threadsAreAddedUp() {
        for _ in 1...5 { end(.stream, "") }
        #expect(monitor[.requests(.stream, .ok)] == 5)
    }

    @Test func everyCounterHasAPlaceOfItsOwn() {
        var indexes = RequestKind.allCases.flatMap { kind in
            RequestOutcome.allCases.map { Counter.requests(kind, $0).index }
                + (0..<LatencyBuckets.count).map { Counter.latency(kind, bucket: $0).index }
                + [Counter.time(kind).index]
        }
        indexes += UploadRefusal.allCases.map { Counter.refusals($0).index }
        let singles: [Counter] = [
            .uploads, .uploadedBytes, .connects, .failedConnects, .lostConnections, .slow, .overdue, .photosSetAside,
        ]
        indexes += singles.map(\.index)
        #expect(indexes.sorted() == Array(0..<Counter.count))
    }

    @Test(arguments: [(0, 0), (100, 0), (101, 1), (1000, 3), (9_999_999, 15), (10_000_000, 15), (10_000_001, 16)])
    func durationsFallIntoTheirBucket(microseconds: Int, bucket: Int) {
        #expect(LatencyBuckets.index(of: microseconds) == bucket)
    }

    @Test(arguments: [
        ([Int](), 0.5, nil as Int?), ([1], 0.5, 100), ([1, 1], 0.5, 100), ([1, 1, 1], 0.5, 250), ([99, 1], 0.99, 100),
        ([98, 2], 0.99, 250), (Array(repeating: 0, count: 16) + [1], 0.5, nil),
    ])
    func quantilesAreUpperBounds(counts: [Int], share: Double, expected: Int?) {
        #expect(LatencyBuckets.quantile(share, of: counts) == expected)
    }

    @Test func everyMomentIsCountedOnce() {
        let trace = RequestTrace()
        trace.add(.seconds(-5), to: .reading)  // As if five seconds had passed since.
        trace.closeStretch(as: .reading)
        trace.add(.milliseconds(70), to: .database)
        trace.closeStretch(as: .work)
        #expect(trace[.work] == .zero, "the database took longer than the stretch")
        let sum = RequestTrace.Phase.allCases.reduce(Duration.zero) { $0 + trace[$1] }
        #expect(sum <= trace.elapsed + .milliseconds(70))
    }

    @Test func slowLogSaysWhereTheTimeWent() {
        let trace = RequestTrace(address: Array("192.0.2.1".utf8))
        trace.kind = .upload
        trace.add(.milliseconds(20), to: .reading)
        trace.add(.milliseconds(900), to: .lane)
        trace.add(.milliseconds(300), to: .database)
        trace.add(.microseconds(1999), to: .session)
        trace.add(.milliseconds(40), to: .disk)
        trace.add(.milliseconds(210), to: .work)
        #expect(
            SlowLog.line(trace, .ok, .milliseconds(1472))
                == "slow: upload 192.0.2.1: ok in 1472 ms "
                + "(reading 20, lane 900, database 300, session 1, disk 40, work 210)"
        )
    }
}
