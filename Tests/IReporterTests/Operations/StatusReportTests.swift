import FastCGI
import Testing

@testable import IReporter

@Suite struct StatusReportTests {
    private func report() throws -> StatusReport {
        let monitor = try Monitor(OperationSettings())
        let tally = monitor.makeTally()
        tally.add(.requests(.stream, .ok), 90)
        tally.add(.requests(.stream, .failed), 10)
        tally.add(.latency(.stream, bucket: 0), 99)
        tally.add(.latency(.stream, bucket: 16), 1)
        tally.add(.time(.stream), 12_345_600)
        tally.add(.requests(.login, .throttled), 3)
        tally.add(.requests(.pairLogIn, .throttled), 4)
        tally.add(.refusals(.notAnImage), 2)
        tally.add(.uploadedBytes, 77)
        tally.add(.photosSetAside, 6)
        var server = ServerStatistics()
        server.accepted = 5
        server.workers = 8
        server.activeWorkers = 3
        server.queueDepth = 2
        server.waitingHeavy = 1
        return StatusReport(monitor, server, version: "1.2.3")
    }

    private func value(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }

    @Test func textNamesEveryNumber() throws {
        let text = try report().text
        for (name, expected) in [
            ("ireporter", "1.2.3"), ("state", "serving"), ("accepted connections", "5"), ("workers", "8"),
            ("active workers", "3"), ("idle workers", "5"), ("queue depth", "2"), ("waiting heavy requests", "1"),
            ("upload bytes", "77"), ("photos set aside", "6"), ("throttled logins", "7"),
            ("uploads refused, not an image", "2"),
        ] {
            #expect(value(name, in: text) == expected, "\(name)")
        }
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("stream") })
        #expect(
            row.split(separator: " ").joined(separator: " ") == "stream 100 90 0 0 10 0 0 123 ms 100 us 100 us"
        )
    }

    @Test func textLeavesOutWhatWasNotUsed() throws {
        #expect(try !report().text.contains("\nregister "))
    }

    @Test func jsonHasTheSame() throws {
        let json = try report().json
        for field in [
            #""version":"1.2.3""#, #""accepted_connections":5"#, #""queue_depth":2"#, #""idle_workers":5"#,
            #""not_an_image":2"#, #""photos_set_aside":6"#,
            #""stream":{"requests":100,"outcomes":{"ok":90,"refused":0,"throttled":0,"failed":10,"#,
            #""microseconds":12345600,"latency":{"100":99,"250":0,"#, #""10000000":0,"more":1}}"#,
        ] {
            #expect(json.contains(field), "\(field)")
        }
        #expect(json.count { $0 == "{" } == json.count { $0 == "}" })
        #expect(json.hasPrefix("{") && json.hasSuffix("}\n"))
    }

    @Test func prometheusHistogramsAddUp() throws {
        let lines = try report().prometheus.split(separator: "\n")
        for line in [
            "# TYPE ireporter_requests_total counter",
            #"ireporter_requests_total{command="stream",outcome="failed"} 10"#,
            "# TYPE ireporter_request_duration_seconds histogram",
            #"ireporter_request_duration_seconds_bucket{command="stream",le="0.0001"} 99"#,
            #"ireporter_request_duration_seconds_bucket{command="stream",le="10.0"} 99"#,
            #"ireporter_request_duration_seconds_bucket{command="stream",le="+Inf"} 100"#,
            #"ireporter_request_duration_seconds_sum{command="stream"} 12.3456"#,
            #"ireporter_request_duration_seconds_count{command="stream"} 100"#,
            #"ireporter_uploads_refused_total{reason="not_an_image"} 2"#, "ireporter_queue_depth 2",
            "# TYPE ireporter_queue_depth gauge", "ireporter_throttled_logins_total 7",
            "ireporter_photos_set_aside_total 6",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
    }

    @Test func prometheusNamesAreDeclaredOnce() throws {
        let types = try report().prometheus.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(Set(types).count == types.count)
    }
}
