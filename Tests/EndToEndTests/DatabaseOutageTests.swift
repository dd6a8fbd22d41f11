import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The database goes away and comes back.
@Suite(.serialized) struct DatabaseOutageTests {
    /// A server of the test's own that keeps what it has acknowledged even if it is killed.
    private func server() throws -> MariaDBServer {
        var options = MariaDBServer.Options(characterSet: "utf8mb4")
        options.more = ["--innodb-flush-log-at-trx-commit=1"]
        return try MariaDBServer(options)
    }

    @Test(arguments: [Schema.legacy, .current])
    func everyCommandHasItsMessageAndTheWorkerRecovers(schema: Schema) throws {
        let site = try Site(schema, on: server())
        var client = try site.client()
        try client.register("bob")
        #expect(try client.upload(Sample.baseline, title: "before") == #"{"successful":1}"#)
        let files = try site.uploadedFiles()
        site.server.kill()
        #expect(
            try client.post(["command": "login", "username": "bob", "password": "secret"])
                == #"{"error":"Database error"}"#
        )
        #expect(
            try client.post(["command": "register", "username": "eve", "password": "secret"])
                == #"{"error":"Registration failed"}"#
        )
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        #expect(
            try client.post(["command": "stream", "IdPhoto": "1"]) == #"{"error":"Photo stream is broken"}"#
        )
        #expect(
            try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#
        )
        #expect(try site.uploadedFiles() == files, "a failed upload leaves nothing")
        try site.server.start()
        #expect(
            try client.post(["command": "stream"])
                == #"{"result":[{"IdPhoto":"1","title":"before","IdUser":"1","username":"bob"}]}"#
        )
        #expect(try client.upload(Sample.baseline, title: "after") == #"{"successful":1}"#)
    }

    @Test func restartCostsNoRequestEvenOfIdleConnections() throws {
        let site = try Site(.current, on: server())
        var client = try site.client()
        try client.register("bob")
        for round in 1...3 {
            try site.server.restart()
            // Every worker thread's connection is dead now.
            for _ in 1...20 {
                #expect(try client.upload(Sample.baseline, title: "t\(round)") == #"{"successful":1}"#)
                #expect(try client.post(["command": "stream"]).hasPrefix(#"{"result":[{"IdPhoto":"#))
            }
        }
        #expect(try site.sql("SELECT COUNT(*) FROM photos") == "60")
    }

    @Test func workerStartsWithoutItsDatabase() throws {
        let server = try server()
        let site = try Site(.current, on: server)
        server.kill()
        site.worker.terminate()
        try site.restartWorker()
        var client = try site.client()
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        try server.start()
        #expect(try client.post(["command": "stream"]) == #"{"result":[]}"#)
    }
}
