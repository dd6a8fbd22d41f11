import FastCGI
import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// A worker that may open no more files.
@Suite(.serialized) struct DescriptorShortageTests {
    @Test func newConnectionsWaitAndKeptOnesAreServed() throws {
        let folder = try Sandbox()
        let settings = ["IREPORTER_WORKERS": "4", "IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))"]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        #expect(site.worker.terminate() == 0)
        let (path, log) = (site.sandbox.path("w0"), site.sandbox.path("log"))
        let worker = try ChildProcess(
            Tool.sh.url(),
            ["-c", "ulimit -n 160; exec \"$@\"", "-", WorkerProcess.executable().path]
                + ["serve", "--listen", "unix:\(path)"],
            environment: site.environment,
            output: log,
            error: log
        )
        #expect(waitUntil(within: 30) { worker.error.contains("ready") })
        var client = try site.client()
        let list = #"{"result":[]}"#
        #expect(try client.post(["command": "stream"]) == list)
        var crowd = try (0..<60).map { _ in try WorkerClient(to: .unix(path: path)) }
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
        // Nor is the status out of reach, which has a socket of its own.
        #expect(try site.run(["status", "--ping"]).standardOutput == "pong\n")
        crowd.removeAll()
        var newcomer = try site.client()
        #expect(try newcomer.post(["command": "stream", "IdPhoto": "2"]) == list)
        // A second round is as before.
        crowd = try (0..<60).map { _ in try WorkerClient(to: .unix(path: path)) }
        sleep(2)
        #expect(try client.post(["command": "stream", "IdPhoto": "2"]) == list)
        #expect(worker.error.ranges(of: message).count == 1, "once a minute is enough")
        // A request that waits with them is answered even by a worker that stops.
        let late = Crowd(1) { _ in
            let parameters = [("REQUEST_METHOD", "GET"), ("SCRIPT_NAME", "/iReporter/index.php")]
            return try WorkerClient(to: .unix(path: path)).get(parameters.map { (name: $0.0, value: $0.1) })
        }
        sleep(1)
        #expect(!late.isFinished)
        #expect(worker.terminate() == 0)
        let reply = String(decoding: try late.wait()[0], as: UTF8.self)
        #expect(reply.contains("Content-Type: application/json"), "\(reply)")
        withExtendedLifetime(crowd) {}
    }

    /// Hundredths of a second that a process has computed.
    private func processorTime(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }
}
