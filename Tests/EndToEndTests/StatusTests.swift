import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// What the worker tells of itself.
@Suite(.serialized) struct StatusTests {
    private let folder: Sandbox

    init() throws {
        folder = try Sandbox()
    }

    private func site(_ settings: [String: String] = [:]) throws -> Site {
        let own = ["IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))"]
        return try Site(.current, on: Servers.utf8mb4(), settings: own.merging(settings) { $1 })
    }

    @Test func statusIsAnsweredWhileEveryWorkerIsBusy() throws {
        let site = try site(["IREPORTER_WORKERS": "2"])
        let lock = try TableLock(site)
        let url = site.url
        let crowd = Crowd(5) { _ in
            var client = try SiteClient(url)
            // One photo: the list would be worked out for all at once.
            return try client.post(["command": "stream", "IdPhoto": "7"])
        }
        var last = ""
        let isFull = waitUntil(within: 30) {
            last = (try? site.run(["status", "--json"]).standardOutput) ?? ""
            return last.contains(#""active_workers":2,"idle_workers":0,"#) && last.contains(#""queue_depth":3,"#)
        }
        #expect(isFull, "\(last)")
        let ping = try site.run(["status", "--ping"])
        #expect(ping.standardOutput == "pong\n")
        try lock.release()
        #expect(Set(try crowd.wait()) == [#"{"result":[]}"#])
        let after = try site.run(["status", "--json"]).standardOutput
        #expect(after.contains(#""active_workers":0,"idle_workers":2,"#))
        #expect(after.contains(#""queue_depth":0,"#))
    }

    @Test func requestsAreCountedByCommandAndOutcome() throws {
        let site = try site(["IREPORTER_LOGIN_ATTEMPTS": "2"])
        var client = try site.client()
        #expect(try client.upload(Sample.baseline) == #"{"error":"Authorization required"}"#)
        try client.register("bob")
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        #expect(try client.upload(Array("no photo".utf8)) == #"{"error":"Upload malfunction"}"#)
        for _ in 1...3 {
            _ = try client.post(["command": "login", "username": "bob", "password": "wrong"])
        }
        _ = try client.post(["command": "stream"])
        _ = try client.post(["command": "logout"])
        _ = try client.post(["command": "nothing"])
        let text = try site.run(["status", "--prometheus"]).standardOutput
        for line in [
            #"ireporter_requests_total{command="upload",outcome="ok"} 1"#,
            #"ireporter_requests_total{command="upload",outcome="refused"} 2"#,
            #"ireporter_requests_total{command="register",outcome="ok"} 1"#,
            #"ireporter_requests_total{command="login",outcome="refused"} 2"#,
            #"ireporter_requests_total{command="login",outcome="throttled"} 1"#,
            #"ireporter_requests_total{command="stream",outcome="ok"} 1"#,
            #"ireporter_requests_total{command="logout",outcome="ok"} 1"#,
            #"ireporter_requests_total{command="other",outcome="ok"} 1"#,
            #"ireporter_request_duration_seconds_count{command="upload"} 3"#,
            #"ireporter_uploads_refused_total{reason="not_logged_in"} 1"#,
            #"ireporter_uploads_refused_total{reason="not_an_image"} 1"#,
            "ireporter_uploads_total 1", "ireporter_upload_bytes_total \(Sample.baseline.count)",
            "ireporter_throttled_logins_total 1", "ireporter_database_connect_failures_total 0",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
    }

    @Test func clientsWithoutAKeyAreCountedAsRefused() throws {
        let site = try site(["IREPORTER_API_KEYS": "key"])
        var client = try site.client()
        for command in ["stream", "login", "nothing"] {
            #expect(
                try client.post(["command": command])
                    == #"{"Message":"No Access","Reason":"Please update the app."}"#
            )
        }
        _ = try client.get("")
        let lines = try site.run(["status", "--prometheus"]).standardOutput.split(separator: "\n")
        for line in [
            #"ireporter_requests_total{command="stream",outcome="refused"} 1"#,
            #"ireporter_requests_total{command="login",outcome="refused"} 1"#,
            #"ireporter_requests_total{command="other",outcome="refused"} 2"#,
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
        #expect(!lines.contains { $0.contains(#"outcome="failed""#) && !$0.hasSuffix(" 0") })
    }

    @Test func outageIsCountedAsOurs() throws {
        let server = try MariaDBServer(.init(characterSet: "utf8mb4"))
        let settings = ["IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))"]
        let site = try Site(.current, on: server, settings: settings)
        var client = try site.client()
        _ = try client.post(["command": "stream"])
        server.kill()
        #expect(try client.post(["command": "login", "username": "a", "password": "b"]).contains("error"))
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        let lines = try site.run(["status", "--prometheus"]).standardOutput.split(separator: "\n")
        #expect(lines.contains(#"ireporter_requests_total{command="login",outcome="failed"} 1"#))
        #expect(lines.contains(#"ireporter_requests_total{command="stream",outcome="failed"} 1"#))
        #expect(!lines.contains("ireporter_database_connect_failures_total 0"))
    }

    @Test func nginxSnippetServesThisMachine() throws {
        let site = try site()
        let snippet = try String(contentsOf: Repository.url("deploy/nginx/ireporter-status.conf"), encoding: .utf8)
            .replacing("/run/ireporter/status.sock", with: folder.path("status"))
        for (address, status) in [("127.0.0.1", 200), ("192.0.2.1", 403)] {
            let nginx = try NginxServer(server: snippet.replacing("allow 127.0.0.1;", with: "allow \(address);"))
            var client = try SiteClient(nginx.url + "/iReporter/")
            let ping = try client.get("ping")
            #expect(ping.status == status)
            let text = try client.get("status")
            #expect(text.status == status)
            let json = try client.get("status?json")
            #expect(json.status == status)
            if status == 200 {
                #expect(ping.text == "pong\n")
                #expect(text.text.hasPrefix("ireporter:"))
                #expect(json.text.hasPrefix(#"{"version":"#))
                #expect(try client.get("status?xml").status == 404)
            }
        }
        _ = site
    }

    @Test func workerThatIsAwayIsNamed() throws {
        let process = try WorkerProcess(["status", "--listen", "unix:/nonexistent"])
        #expect(process.wait() == 1)
        #expect(process.standardError.hasPrefix("ireporter: cannot connect to unix:/nonexistent: No such file"))
    }

    private static let forms = [[], ["--json"], ["--prometheus"], ["--ping"], ["--watch", "1"]]

    @Test(arguments: forms)
    func socketOfTheRequestsIsNotTheStatusSocket(form: [String]) throws {
        let site = try site()
        try expectNoStatus(at: site.sandbox.path("w0"), form)
    }

    @Test(arguments: forms)
    func socketOfPHPIsNotTheStatusSocket(form: [String]) throws {
        let php = try PHPFPM()
        try expectNoStatus(at: php.socketPath, form)
    }

    private func expectNoStatus(at socket: String, _ form: [String]) throws {
        let process = try WorkerProcess(["status", "--listen", "unix:\(socket)"] + form)
        // What goes on watching is ended with the test.
        #expect(waitUntil(within: 30) { !process.isRunning })
        process.kill()
        #expect(process.wait() == 1)
        #expect(process.standardOutput == "")
        #expect(
            process.standardError == """
                ireporter: unix:\(socket) is not the status socket of a worker
                  IREPORTER_STATUS_LISTEN names it; where nginx connects nothing is told

                """
        )
    }

    @Test func whoMayNotAskIsToldWhoMay() throws {
        let site = try site()
        try folder.allow("", 0o755)
        // Root may always, so somebody else asks.
        let command = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []
        try folder.allow("status", 0)
        let process = try ChildProcess(
            Tool("env", package: "coreutils").url(),
            command + [WorkerProcess.executable().path, "status", "--ping"],
            environment: site.environment,
            output: folder.path("out"),
            error: folder.path("err")
        )
        #expect(process.wait() == 1)
        #expect(process.output == "")
        #expect(
            process.error == """
                ireporter: cannot connect to unix:\(folder.path("status")): Permission denied
                  run it as root, or as a member of the socket's group

                """
        )
    }

    @Test func settingIsReadAsTheWorkerReadsIt() throws {
        let process = try WorkerProcess(["status"], environment: ["IREPORTER_STATUS_LISTEN": "unix:/run/status.sock\r"])
        #expect(process.wait() == 2)
        #expect(
            process.standardError == #"""
                ireporter: IREPORTER_STATUS_LISTEN ends in a carriage return, as the lines of a file with Windows line \#
                ends do (sed -i 's/\r$//' FILE takes them away)
                  man ireporter and deploy/README.md list all settings

                """#
        )
    }

    @Test func watchingPrintsAgain() throws {
        let site = try site()
        let process = try WorkerProcess(["status", "--watch", "1"], environment: site.environment)
        let isRepeated = waitUntil(within: 30) {
            process.standardOutput.ranges(of: "ireporter:").count >= 2
        }
        #expect(isRepeated)
        #expect(!process.standardOutput.contains("\u{1B}"), "no terminal, no control characters")
        process.kill()
    }
}
