import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The worker on sockets that somebody else has made: systemd, or spawn-fcgi.
@Suite(.serialized) struct HandedOverSocketTests {
    private static let losses = ["prematurely closed", "reset by peer", "Broken pipe", "unexpected FastCGI record"]

    /// A site whose worker has ended, so that others can listen at the place where nginx expects it.
    private func makeSite() throws -> Site {
        let site = try Site(.current, on: Servers.utf8mb4())
        #expect(site.worker.terminate() == 0)
        return site
    }

    /// Puts another file, the program with a byte more, in the program's place.
    private func replace(_ program: String) throws {
        try FileManager.default.copyItem(atPath: program, toPath: program + ".new")
        let file = try FileHandle(forUpdating: URL(filePath: program + ".new"))
        try file.seekToEnd()
        try file.write(contentsOf: Data([0]))
        try file.close()
        try #require(unsafe rename(program + ".new", program) == 0)
    }

    /// The program is replaced and started anew, or reloaded, while it is in use.
    ///
    /// systemd's own activator makes the sockets, and a shell that holds them, as process 1 does, starts the worker on
    /// them, each time half a second after the last one has ended. `LISTEN_PID` is what process 1 would set.
    @Test func noRequestFailsWhileTheWorkerIsReplacedUnderLoad() throws {
        let site = try makeSite()
        let program = site.sandbox.path("ireporter")
        let original = try WorkerProcess.executable().path
        try FileManager.default.copyItem(atPath: original, toPath: program)
        let (socket, status) = (site.sandbox.path("w0"), site.sandbox.path("status"))
        let start = "echo $$ >'\(site.sandbox.path("pid"))'; LISTEN_PID=$$ exec '\(program)' serve"
        try site.sandbox.write(start, to: "start")
        let activator = try ChildProcess(
            Tool.sh.url(),
            // A shell around it, since the activator closes the descriptor by which Foundation sees that a child lives.
            ["-c", "\"$@\"; exit $?", "-", Tool("systemd-socket-activate", package: "systemd").url().path]
                + ["--listen=\(socket)", "--listen=\(status)", "--fdname=worker:status"]
                // It passes nothing else on.
                + site.environment.map { "--setenv=\($0)=\($1)" }
                + ["/bin/sh", "-c", "while :; do /bin/sh '\(site.sandbox.path("start"))'; sleep 0.5; done"],
            output: site.sandbox.path("log"),
            error: site.sandbox.path("log")
        )
        #expect(waitUntil(within: 30) { FileManager.default.fileExists(atPath: status) })
        func worker() throws -> Int32 {
            try #require(Int32(site.sandbox.read("pid").trimmingCharacters(in: .newlines)))
        }
        func starts() -> Int { site.sandbox.read("log").ranges(of: "ireporter: ready").count }
        func runsWhatIsInstalled() throws -> Bool {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker())/exe") == program
        }

        // The first request is what starts it.
        var client = try site.client()
        try client.register("bob")
        #expect(starts() == 1)
        _ = try client.upload(Sample.baseline)
        let answered = #"{"result":[{"IdPhoto":"1","title":"title","IdUser":"1","username":"bob"}]}"#
        let crowd = Crowd(8) { [url = site.url, over = site.sandbox.path("over")] _ in
            var client = try SiteClient(url)
            var replies: Set<String> = []
            while !FileManager.default.fileExists(atPath: over) {
                replies.insert(try client.post(["command": "stream"]))
            }
            return replies
        }
        for (round, signal) in [SIGTERM, SIGHUP, SIGTERM, SIGHUP].enumerated() {
            try replace(program)
            #expect(try !runsWhatIsInstalled())
            let old = try worker()
            kill(old, signal)
            #expect(waitUntil(within: 30) { starts() == round + 2 })
            #expect(try (worker() == old) == (signal == SIGHUP))
            #expect(try runsWhatIsInstalled())
            // The session outlives it, and the status has the socket of that name.
            #expect(try client.post(["command": "upload"]) == #"{"error":"Upload on server problem"}"#)
            #expect(try site.run(["status", "--ping", "--listen", "unix:\(status)"]).standardOutput == "pong\n")
        }
        try site.sandbox.write("", to: "over")
        for replies in try crowd.wait() {
            #expect(replies == [answered])
        }
        for loss in Self.losses {
            #expect(!site.nginx.errorLog.contains(loss), "\(loss)")
        }

        // Nobody is there for half a second; what is asked meanwhile waits in the socket.
        let last = try worker()
        kill(last, SIGTERM)
        #expect(waitUntil(within: 30) { kill(last, 0) != 0 })
        #expect(try client.post(["command": "stream"]) == answered)
        activator.kill()
    }

    @Test func spawnerHandsTheSocketOver() throws {
        let site = try makeSite()
        let socket = site.sandbox.path("w0")
        let worker = try ChildProcess(
            Tool("spawn-fcgi", package: "spawn-fcgi").url(),
            ["-n", "-s", socket, "-M", "0660", "--", WorkerProcess.executable().path],
            environment: site.environment,
            output: site.sandbox.path("log"),
            error: site.sandbox.path("log")
        )
        #expect(waitUntil(within: 30) { worker.output.contains("ready, listening on the inherited socket") })
        var client = try site.client()
        try client.register("bob")
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        worker.signal(SIGHUP)
        #expect(waitUntil(within: 30) { worker.output.ranges(of: "ireporter: ready").count == 2 })
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        #expect(worker.terminate() == 0)
    }
}
