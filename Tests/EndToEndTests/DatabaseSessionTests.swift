import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// `IREPORTER_SESSION_STORE=database`: two workers, as on two hosts, on one table of sessions.
@Suite(.serialized) struct DatabaseSessionTests {
    private static let stored = #"{"successful":1}"#
    private static let refused = #"{"error":"Authorization required"}"#

    /// A site of two workers, each behind an nginx of its own.
    private struct Pair {
        let site: Site
        let gateways: [NginxServer]

        init(on server: MariaDBServer? = nil, settings: [String: String] = [:]) throws {
            site = try Site(
                .current,
                on: server ?? Servers.utf8mb4(),
                workers: 2,
                settings: ["IREPORTER_SESSION_STORE": "database"].merging(settings) { $1 }
            )
            let site = site
            gateways = try (0..<2).map { try site.gateway(to: $0) }
        }

        /// A client of one worker, with the cookies of another client.
        func client(_ number: Int, _ jar: CookieJar = CookieJar()) throws -> SiteClient {
            try SiteClient(gateways[number].url + "/iReporter/", jar: jar)
        }

        /// Whether a session counts as logged in, by each worker.
        func sees(_ jar: CookieJar) throws -> [Bool] {
            try (0..<2).map { number in
                var client = try client(number, jar)
                let reply = try client.upload(Sample.baseline)
                #expect([stored, refused].contains(reply))
                return reply == stored
            }
        }

        func plant(_ id: String, _ content: String, used: String = "UNIX_TIMESTAMP()") throws {
            let data = content.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            try site.sql("INSERT INTO sessions VALUES (UNHEX(SHA2('\(id)', 256)), X'\(data)', \(used))")
        }
    }

    @Test(arguments: [0, 1])
    func loggedInOnOneUploadedOnTheOtherLoggedOutOnTheFirst(first: Int) throws {
        let pair = try Pair()
        var client = try pair.client(first)
        try client.register("bob")
        let jar = client.jar
        var other = try pair.client(1 - first, jar)
        #expect(try other.upload(Sample.baseline) == Self.stored)
        #expect(try pair.sees(jar) == [true, true])
        #expect(try client.post(["command": "logout"]) == "")
        #expect(try pair.sees(jar) == [false, false])
        let id = try #require(jar.session)
        #expect(try pair.site.sql("SELECT COUNT(*) FROM sessions") == "0")
        let logs = pair.site.workers.map(\.standardError).joined()
        #expect(!logs.contains(id))
        #expect(try FileManager.default.contentsOfDirectory(atPath: pair.site.sessions).isEmpty)
    }

    @Test func clientsOwnIDIsNeverAdopted() throws {
        let pair = try Pair()
        try pair.plant("ended", #"IdUser|s:1:"1";"#, used: "1000")
        for id in ["chosen-by-somebody-else", "ended"] {
            var client = try pair.client(0)
            let reply = try client.send(
                ContractRequest(
                    body: .form([
                        ("command", "register"), ("username", Template(bytes: "u-\(id)".utf8)), ("password", "x"),
                    ]),
                    cookies: .header("PHPSESSID=\(id)")
                )
            )
            #expect(reply.text.hasSuffix(#""username":"u-\#(id)"}]}"#))
            let new = try #require(client.jar.session)
            #expect(new != id)
            #expect(new.count == 26)
            #expect(try pair.sees(client.jar) == [true, true])
            for number in 0..<2 {
                var attacker = try pair.client(number)
                #expect(try attacker.upload(Sample.baseline, session: id) == Self.refused)
            }
        }
    }

    @Test func everyLoginHasANewIDAndEndsTheOldOne() throws {
        let pair = try Pair()
        var client = try pair.client(0)
        try client.register("bob")
        let first = client.jar
        // Another program that shares the table has put something of its own into the session.
        try pair.site.sql("UPDATE sessions SET data = CONCAT(data, 'cart|i:7;')")
        var other = try pair.client(1, first)
        #expect(
            try other.post(["command": "login", "username": "bob", "password": "secret"])
                == #"{"result":[{"IdUser":"1","username":"bob"}]}"#
        )
        #expect(other.jar.session != first.session)
        #expect(try pair.sees(first) == [false, false])
        #expect(try pair.sees(other.jar) == [true, true])
        let id = try #require(other.jar.session)
        let data = try pair.site.sql("SELECT data FROM sessions WHERE id = UNHEX(SHA2('\(id)', 256))")
        #expect(data == #"IdUser|s:1:"1";cart|i:7;"#)
    }

    @Test func manyLoginsWithOneCookieAtOnceLeaveNoOldSession() throws {
        let pair = try Pair()
        var client = try pair.client(0)
        try client.register("bob")
        let urls = pair.gateways.map { $0.url + "/iReporter/" }
        for _ in 1...5 {
            let old = client.jar
            try pair.site.sql("UPDATE sessions SET data = CONCAT(data, 'cart|i:7;') WHERE used > 1")
            let crowd = Crowd(8) { number in
                var client = try SiteClient(urls[number % 2], jar: old)
                let reply = try client.post(["command": "login", "username": "bob", "password": "secret"])
                return (reply, client.jar)
            }
            let results = try crowd.wait()
            #expect(Set(results.map(\.0)) == [#"{"result":[{"IdUser":"1","username":"bob"}]}"#])
            #expect(Set(results.map { $0.1.session }).count == 8)
            #expect(try pair.sees(old) == [false, false])
            for (_, jar) in results {
                #expect(try pair.sees(jar) == [true, true])
            }
            #expect(
                try pair.site.sql("SELECT COUNT(*) FROM sessions WHERE used > 1 AND data LIKE '%cart%'") == "1",
                "what the old session held went to one of the new ones"
            )
            client = try pair.client(0, results[0].1)
            try pair.site.sql("DELETE FROM sessions WHERE id <> UNHEX(SHA2('\(results[0].1.session ?? "")', 256))")
        }
    }

    @Test func uploadUnderWayOutlivesALogoutOnTheOtherWorker() throws {
        let pair = try Pair()
        var client = try pair.client(0)
        try client.register("bob")
        let jar = client.jar
        let url = pair.gateways[1].url + "/iReporter/"
        let lock = try TableLock(pair.site)
        let upload = Crowd(1) { _ in
            var client = try SiteClient(url, jar: jar)
            return try client.upload(Sample.baseline)
        }
        #expect(waitUntil(within: 30) { lock.waiting >= 1 })
        #expect(try client.post(["command": "logout"]) == "")
        try lock.release()
        #expect(try upload.wait() == [Self.stored])
        #expect(try pair.sees(jar) == [false, false])
    }

    @Test func sessionInUseLastsAndAnIdleOneEndsOnEveryWorker() throws {
        let pair = try Pair(settings: ["IREPORTER_SESSION_LIFETIME": "6"])
        var idle = try pair.client(1)
        try idle.register("eve")
        var client = try pair.client(0)
        try client.register("bob")
        var clients = [client, try pair.client(1, client.jar)]
        let end = Date(timeIntervalSinceNow: 14)
        var number = 0
        while Date() < end {
            // No request of these asks for the session.
            #expect(try clients[number % 2].post(["command": "stream"]) == #"{"result":[]}"#)
            number += 1
            Thread.sleep(forTimeInterval: 0.2)
        }
        #expect(try pair.sees(idle.jar) == [false, false])
        #expect(try pair.sees(client.jar) == [true, true])
        Thread.sleep(forTimeInterval: 9)
        #expect(try pair.sees(client.jar) == [false, false])
        // Removed by one worker, when the other is gone.
        pair.site.workers[1].kill()
        #expect(waitUntil(within: 90) { (try? pair.site.sql("SELECT COUNT(*) FROM sessions")) == "0" })
    }

    @Test func useIsNotLostWhenTheWorkerStops() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_SESSION_STORE": "database"])
        var client = try site.client()
        try client.register("bob")
        try site.sql("UPDATE sessions SET used = UNIX_TIMESTAMP() - 1400")
        _ = try client.post(["command": "stream"])
        #expect(site.worker.terminate() == 0)
        #expect(try site.sql("SELECT COUNT(*) FROM sessions WHERE used > UNIX_TIMESTAMP() - 60") == "1")
    }

    /// What others may have put into the table.
    @Test func plantedRowsLogNobodyIn() throws {
        let pair = try Pair()
        var client = try pair.client(0)
        try client.register("bob")
        let rows = [
            #"x|s:20:"a;IdUser|s:1:"1";abc";"#, #"x|a:1:{s:6:"IdUser";s:1:"1";}"#, #"IdUser|s:99:"1";"#,
            #"IdUser|s:1:"1""#, "IdUser|N;", "NULL", "", "\0", #"IdUser|s:18446744073709551617:"1";"#,
            "IdUser|a:1000000000:{}", #"IdUser|O:8:"stdClass":0:{}"#,
        ]
        for (number, content) in rows.enumerated() {
            try pair.plant("planted\(number)", content)
        }
        try pair.plant("future", #"IdUser|s:1:"1";"#, used: "4294967295")
        try pair.plant("huge", #"IdUser|s:1:"1";x|s:2000000:""#)
        try pair.site.sql(
            "UPDATE sessions SET data = CONCAT(data, REPEAT('y', 2000000), '\";') WHERE id = UNHEX(SHA2('huge', 256))"
        )
        try pair.plant("sound", #"IdUser|s:1:"1";"#)
        for number in 0..<2 {
            var client = try pair.client(number)
            for id in rows.indices.map({ "planted\($0)" }) + ["future", "huge"] {
                #expect(try client.upload(Sample.baseline, session: id) == Self.refused, "\(id)")
            }
            #expect(try client.upload(Sample.baseline, session: "sound") == Self.stored)
            // The key in the table is none to the worker.
            let key = try pair.site.sql("SELECT HEX(id) FROM sessions LIMIT 1")
            #expect(try client.upload(Sample.baseline, session: key) == Self.refused)
        }
        #expect(pair.site.workers.allSatisfy { $0.isRunning })
    }

    @Test func outageLogsNobodyOutAndNobodyIn() throws {
        let server = try MariaDBServer(.init(characterSet: "utf8mb4"))
        let pair = try Pair(on: server)
        var bob = try pair.client(0)
        try bob.register("bob")
        var eve = try pair.client(0)
        try eve.register("eve")
        let files = try pair.site.uploadedFiles()
        server.kill()
        #expect(try bob.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        #expect(
            try bob.post(["command": "login", "username": "bob", "password": "secret"])
                == #"{"error":"Database error"}"#
        )
        var stranger = try pair.client(0)
        #expect(
            try stranger.upload(Sample.baseline, session: "stranger")
                == #"{"error":"Upload database problem.Database error"}"#
        )
        #expect(try stranger.upload(Sample.baseline) == Self.refused, "without a cookie nothing has to be asked")
        #expect(try eve.post(["command": "logout"]) == "")
        #expect(try pair.site.uploadedFiles() == files, "a failed upload leaves nothing")
        try server.start()
        #expect(try pair.sees(bob.jar) == [true, true])
        var later = try pair.client(0, eve.jar)
        #expect(try later.upload(Sample.baseline) == Self.refused)
        // The other worker knows it as soon as the database does.
        #expect(
            waitUntil(within: 60) {
                (try? pair.site.sql("SELECT COUNT(*) FROM sessions WHERE used > 1")) == "1"
            }
        )
        #expect(try pair.sees(eve.jar) == [false, false])
    }

    @Test func sessionsTableThatFailsIsAnErrorOfTheCommand() throws {
        let pair = try Pair()
        var client = try pair.client(0)
        try client.register("bob")
        try pair.site.sql("RENAME TABLE sessions TO elsewhere")
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        #expect(
            try client.post(["command": "login", "username": "bob", "password": "secret"])
                == #"{"error":"Database error"}"#
        )
        #expect(
            try client.post(["command": "register", "username": "eve", "password": "secret"])
                == #"{"error":"Registration failed"}"#
        )
        #expect(try client.post(["command": "stream"]) == #"{"result":[]}"#)
        try pair.site.sql("RENAME TABLE elsewhere TO sessions")
        #expect(try pair.sees(client.jar) == [true, true])
    }

    // MARK: Starting

    @Test func workerDoesNotStartWithoutItsTable() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_SESSION_STORE": "database"])
        site.worker.terminate()
        try site.sql("DROP TABLE sessions")
        let process = try WorkerProcess(
            ["serve", "--listen", "unix:\(site.sandbox.path("x"))"],
            environment: site.environment
        )
        #expect(waitUntil(within: 30) { !process.isRunning }, "it serves")
        #expect(process.terminate() == 1)
        #expect(
            process.standardError == """
                ireporter: sessions cannot be kept in the database: there is no table sessions
                  ireporter migrate --only 4, or mariadb \(site.database) < sql/upgrade/004-sessions.sql

                """
        )
        let migration = try site.run(["migrate", "--only", "4"])
        #expect(migration.wait() == 0, "\(migration.standardError)")
        try site.restartWorker()
        var client = try site.client()
        try client.register("bob")
        #expect(try client.upload(Sample.baseline) == Self.stored)
    }
}
