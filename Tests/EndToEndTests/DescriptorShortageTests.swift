import FastCGI
import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// A worker that may open no more files.
@Suite(.serialized) struct DescriptorShortageTests {
    @Test func newConnectionsWaitAndKeptOnesAreServed() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        #expect(site.worker.terminate() == 0)
        let (path, log) = (site.sandbox.path("w0"), site.sandbox.path("log"))
        let worker = try ChildProcess(
            Tool.sh.url(),
            ["-c", "ulimit -n 160; exec \"$@\"", "-", WorkerProcess.executable().path]
                + ["serve", "--listen", "unix:\(path)"],
            environment: site.environment.merging(["IREPORTER_WORKERS": "4"]) { $1 },
            output: log,
            error: log
        )
        #expect(waitUntil(within: 30) { worker.error.contains("ready") })
        var client = try site.client()
        let list = #"{"result":[]}"#
        #expect(try client.post(["command": "stream"]) == list)
        var crowd = try (0..<200).map { _ in try WorkerClient(to: .unix(path: path)) }
        let message = "new connections have to wait"
        #expect(waitUntil(within: 30) { worker.error.contains(message) })
        // Whatever they need files for.
        try client.register("bob")
        for _ in 1...20 {
            #expect(try client.post(["command": "stream"]) == list)
            #expect(try client.post(["command": "stream", "IdPhoto": "1"]) == list)
        }
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        let before = try processorTime(worker.identifier)
        sleep(2)
        #expect(try processorTime(worker.identifier) - before < 100, "it waits rather than tries on and on")
        crowd.removeAll()
        var newcomer = try site.client()
        #expect(try newcomer.post(["command": "stream", "IdPhoto": "2"]) == list)
        // A second round is as before.
        crowd = try (0..<200).map { _ in try WorkerClient(to: .unix(path: path)) }
        sleep(2)
        #expect(try client.post(["command": "stream", "IdPhoto": "2"]) == list)
        #expect(worker.error.ranges(of: message).count == 1, "once a minute is enough")
        #expect(worker.terminate() == 0)
        withExtendedLifetime(crowd) {}
    }

    /// Hundredths of a second that a process has computed.
    private func processorTime(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }
}
