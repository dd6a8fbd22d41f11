import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Requests that take too long.
@Suite(.serialized) struct TimeTests {
    @Test func slowLogSaysWhereTheTimeWent() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_SLOW_MS": "300"])
        let url = site.url
        let lock = try TableLock(site)
        let crowd = Crowd(1) { _ in
            var client = try SiteClient(url)
            return try client.post(["command": "stream"])
        }
        #expect(waitUntil(within: 30) { lock.waiting == 1 })
        Thread.sleep(forTimeInterval: 0.5)
        try lock.release()
        #expect(try crowd.wait() == [#"{"result":[]}"#])
        let line = site.worker.standardError.split(separator: "\n").first { $0.contains("slow: ") }
        let pattern =
            /ireporter: slow: stream 127\.0\.0\.1: ok in (\d+) ms \(reading (\d+), lane (\d+), database (\d+), .*\)/
        let match = try #require(line?.wholeMatch(of: pattern))
        #expect(Int(match.1)! >= 500)
        #expect(Int(match.4)! >= 500)
        #expect(Int(match.2)! < 500)
        #expect(Int(match.3)! < 500, "it waits for others only as long as it takes to find that there are none")
    }

    @Test func queryThatRunsTooLongIsGivenUp() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_REQUEST_SECONDS": "1"])
        var client = try site.client()
        let lock = try TableLock(site)
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        #expect(lock.waiting <= 1, "at most the server has not noticed yet that nobody waits")
        #expect(site.worker.standardError.contains("ms and is given up"))
        try lock.release()
        #expect(try client.post(["command": "stream"]) == #"{"result":[]}"#)
    }

    @Test(arguments: [Schema.legacy, .current])
    func uploadThatRunsTooLongLeavesNothing(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4(), settings: ["IREPORTER_REQUEST_SECONDS": "1"])
        var client = try site.client()
        try client.register("bob")
        let lock = try TableLock(site)
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        try lock.release()
        #expect(try client.upload(Sample.baseline, title: "after") == #"{"successful":1}"#)
        #expect(try client.post(["command": "stream"]).contains(#""title":"after""#))
        // The insert may have been under way when its connection was ended; nobody sees it then, and no file is left.
        #expect(try client.post(["command": "stream"]).ranges(of: "IdPhoto").count == 1)
        #expect(try site.uploadedFiles().count == 2)
    }
}
