import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Stopping and starting the worker while it is in use.
@Suite(.serialized) struct StopTests {
    /// What nginx logs when a request that had reached the worker got no reply.
    private static let losses = ["prematurely closed", "reset by peer", "Broken pipe", "unexpected FastCGI record"]

    @Test func stoppingUnderLoadLosesNoRequestThatReachedTheWorker() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        _ = try client.upload(Sample.baseline)
        let url = site.url
        let answered = #"{"result":[{"IdPhoto":"1","title":"title","IdUser":"1","username":"bob"}]}"#
        let absent = #"{"error":"The server cannot answer right now. Try again later."}"#
        for _ in 1...8 {
            let crowd = Crowd(16) { _ in
                var client = try SiteClient(url)
                var replies: [String: Int] = [:]
                while replies[absent, default: 0] == 0 {
                    replies[try client.post(["command": "stream"]), default: 0] += 1
                }
                return Set(replies.keys)
            }
            Thread.sleep(forTimeInterval: 0.2)
            #expect(site.worker.terminate() == 0)
            for replies in try crowd.wait() {
                #expect(replies == [answered, absent])
            }
            try site.restartWorker()
        }
        for loss in Self.losses {
            #expect(!site.nginx.errorLog.contains(loss), "\(loss)")
        }
    }

    @Test func sessionsOutliveTheWorker() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        site.worker.kill()
        try site.restartWorker()
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func signalEndsTheWorkerInOrder(signal: Int32) throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        site.worker.signal(signal)
        #expect(site.worker.wait() == 0)
        #expect(site.worker.standardError.hasSuffix("ireporter: stopping\nireporter: stopped\n"))
        #expect(!FileManager.default.fileExists(atPath: site.sandbox.path("w0")))
    }

    @Test func secondWorkerOnALivingSocketIsRefused() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        let path = site.sandbox.path("w0")
        let second = try WorkerProcess(
            ["serve", "--listen", "unix:\(path)"],
            environment: [
                "IREPORTER_DB_NAME": site.database, "IREPORTER_DB_USER": "root",
                "IREPORTER_DB_SOCKET": site.server.socketPath, "IREPORTER_UPLOAD_DIR": site.uploads,
                "IREPORTER_SESSION_STORE": "files:\(site.sessions)",
            ]
        )
        #expect(second.wait() == 1)
        #expect(
            second.standardError == """
                ireporter: another process already listens on unix:\(path)
                  ireporter check says what is wrong with the set-up, and what to do about it

                """
        )
        var client = try site.client()
        #expect(try client.post(["command": "stream"]) == #"{"result":[]}"#)
    }

    @Test(arguments: [
        (["serve", "--listen"], 2, "ireporter: --listen needs an address\n  unix:/PATH or HOST:PORT\n"),
        (["serve", "--lisen"], 2, "ireporter: unknown option '--lisen'\n  ireporter serve --help\n"),
        (["sreve"], 2, "ireporter: unknown command 'sreve'\n  ireporter --help lists the commands\n"),
        (
            ["serve"], 2,
            """
            ireporter: IREPORTER_UPLOAD_DIR is not set (the folder that holds the photos)
              man ireporter and deploy/README.md list all settings

            """
        ),
    ])
    func wrongCallIsExplained(arguments: [String], status: Int32, message: String) throws {
        let process = try WorkerProcess(arguments)
        #expect(process.wait() == status)
        #expect(process.standardError == message)
    }
}
