import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The worker makes way for its successor while it is in use.
@Suite(.serialized) struct ReloadTests {
    @Test func reloadUnderLoadLosesNothing() throws {
        let folder = try Sandbox()
        let settings = ["IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))"]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        var client = try site.client()
        try client.register("bob")
        _ = try client.upload(Sample.baseline)
        let answered = #"{"result":[{"IdPhoto":"1","title":"title","IdUser":"1","username":"bob"}]}"#
        let isOver = Flag()
        let url = site.url
        let crowd = Crowd(8) { _ in
            var client = try SiteClient(url)
            var replies: Set<String> = []
            while !isOver.isSet {
                replies.insert(try client.post(["command": "stream"]))
            }
            return replies
        }
        let process = site.worker.identifier
        for round in 1...5 {
            site.worker.signal(SIGHUP)
            let isBack = waitUntil(within: 30) {
                site.worker.standardError.ranges(of: "ireporter: ready").count == round + 1
            }
            #expect(isBack)
            #expect(try site.run(["status", "--ping"]).standardOutput == "pong\n")
            // The session outlives it.
            #expect(try client.post(["command": "upload"]) == #"{"error":"Upload on server problem"}"#)
        }
        isOver.set()
        for replies in try crowd.wait() {
            #expect(replies == [answered])
        }
        #expect(site.worker.identifier == process && site.worker.isRunning)
        for loss in ["prematurely closed", "reset by peer", "Broken pipe", "unexpected FastCGI record"] {
            #expect(!site.nginx.errorLog.contains(loss), "\(loss)")
        }
        #expect(site.worker.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: site.sandbox.path("w0")), "its socket is still its own")
    }

    @Test func successorIsWhatStandsAtTheProgramsPath() throws {
        let folder = try Sandbox()
        let program = folder.path("ireporter")
        let original = try WorkerProcess.executable().path
        try FileManager.default.copyItem(atPath: original, toPath: program)
        let site = try Site(.current, on: Servers.utf8mb4())
        let worker = try ChildProcess(
            URL(filePath: program),
            ["serve", "--listen", "unix:\(folder.path("s"))"],
            environment: site.environment,
            output: folder.path("out"),
            error: folder.path("err")
        )
        #expect(waitUntil(within: 30) { worker.error.contains("ready") })
        try FileManager.default.removeItem(atPath: program)
        worker.signal(SIGHUP)
        #expect(waitUntil(within: 30) { worker.error.contains("there is no program at \(program)") })
        #expect(worker.isRunning)
        // A copy that is not finished.
        let whole = try Data(contentsOf: URL(filePath: original))
        try whole.prefix(100_000).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        worker.signal(SIGHUP)
        let refusal = "ireporter: the program at \(program) does not run; nothing is changed\n"
        #expect(waitUntil(within: 30) { worker.error.hasSuffix(refusal) })
        #expect(worker.isRunning)
        try folder.write("#!/bin/sh\necho new >&2\nexec '\(original)' \"$@\"\n", to: "ireporter")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        worker.signal(SIGHUP)
        #expect(waitUntil(within: 30) { worker.error.contains("new\nireporter: ready") })
        #expect(worker.terminate() == 0)
    }

    @Test func settingThatIsWrongByNowChangesNothing() throws {
        let folder = try Sandbox()
        let manager = try NotifySocket(folder.path("notify"))
        let password = try folder.write("", to: "password")
        let settings = ["IREPORTER_DB_PASSWORD_FILE": password, "NOTIFY_SOCKET": folder.path("notify")]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        #expect(manager.next() == "READY=1\nSTATUS=Serving requests")
        try FileManager.default.removeItem(atPath: password)
        site.worker.signal(SIGHUP)
        #expect(manager.next()?.hasPrefix("RELOADING=1\n") == true)
        #expect(manager.next() == "READY=1\nSTATUS=Serving requests")
        let reason = "which \(NSUserName()) cannot read: No such file or directory"
        let line = "ireporter: IREPORTER_DB_PASSWORD_FILE names \(password), \(reason); nothing is changed\n"
        #expect(site.worker.standardError.hasSuffix(line))
        var client = try site.client()
        try client.register("bob")
        #expect(site.worker.isRunning)
    }

    @Test func managerIsToldOfEachStep() throws {
        let folder = try Sandbox()
        let manager = try NotifySocket(folder.path("notify"))
        let settings = ["NOTIFY_SOCKET": folder.path("notify"), "WATCHDOG_USEC": "2000000"]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        #expect(manager.next() == "READY=1\nSTATUS=Serving requests")
        #expect(manager.next() == "WATCHDOG=1")
        site.worker.signal(SIGHUP)
        #expect(manager.next { $0 != "WATCHDOG=1" }?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(manager.next { $0 != "WATCHDOG=1" } == "READY=1\nSTATUS=Serving requests")
        site.worker.signal(SIGTERM)
        #expect(manager.next { $0 != "WATCHDOG=1" }?.hasPrefix("STOPPING=1\n") == true)
        #expect(site.worker.wait() == 0)
    }
}
