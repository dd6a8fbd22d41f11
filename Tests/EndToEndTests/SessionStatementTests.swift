import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// How many statements a request takes for its session, as the server's own log counts them.
@Suite(.serialized) struct SessionStatementTests {
    /// The statements on the table of sessions that a request caused, the worker's housekeeping left out.
    private func statements(_ site: Site, _ request: () throws -> Void) throws -> [String] {
        try site.server.run("TRUNCATE mysql.general_log; SET GLOBAL general_log = ON")
        try request()
        try site.server.run("SET GLOBAL general_log = OFF")
        let log = try site.server.run(
            """
            SELECT REPLACE(CONVERT(argument USING utf8mb4), '\\n', ' ') FROM mysql.general_log
            WHERE command_type IN ('Execute', 'Query') AND argument LIKE '%sessions%'
            AND argument NOT LIKE '% id IN (%' AND argument NOT LIKE 'SELECT id FROM sessions%'
            """
        )
        return log.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    @Test func aRequestTakesOneStatementAtMost() throws {
        let server = try MariaDBServer(.init(characterSet: "utf8mb4"))
        try server.run("SET GLOBAL log_output = 'TABLE'")
        let site = try Site(.current, on: server, settings: ["IREPORTER_SESSION_STORE": "database"])
        var client = try site.client()
        #expect(try statements(site) { try client.register("bob") } == ["INSERT"])
        #expect(try statements(site) { _ = try client.upload(Sample.baseline) } == ["SELECT"])
        var replies: [String] = []
        let ofLists = try statements(site) {
            for _ in 1...20 {
                replies.append(try client.post(["command": "stream"]))
                replies.append(try client.post(["command": "stream", "IdPhoto": "1"]))
                replies.append(try client.post(["command": "nothing"]))
            }
        }
        #expect(ofLists == [])
        #expect(
            Set(replies) == [#"{"result":[{"IdPhoto":"1","title":"title","IdUser":"1","username":"bob"}]}"#, ""]
        )
        var stranger = try site.client()
        #expect(try statements(site) { _ = try stranger.upload(Sample.baseline) } == [])
        #expect(try statements(site) { _ = try stranger.post(["command": "logout"]) } == [])
        #expect(
            try statements(site) { _ = try stranger.upload(Sample.baseline, session: "unknown") } == ["SELECT"]
        )

        var reply = ""
        func logIn(_ password: String = "secret") throws {
            reply = try client.post(["command": "login", "username": "bob", "password": password])
        }
        let welcome = #"{"result":[{"IdUser":"1","username":"bob"}]}"#
        #expect(try statements(site) { try logIn() } == ["INSERT"], "in place of a session")
        #expect(reply == welcome)
        try site.sql("UPDATE sessions SET used = 1000")
        #expect(try statements(site) { try logIn() } == ["INSERT"], "in place of one that has ended")
        #expect(reply == welcome)
        #expect(try statements(site) { try logIn("wrong") } == [])
        #expect(reply == #"{"error":"Authorization failed"}"#)
        // Only another program puts other keys there.
        try site.sql("UPDATE sessions SET data = CONCAT(data, 'cart|i:7;') WHERE used > 1")
        #expect(try statements(site) { try logIn() } == ["INSERT", "UPDATE"])
        #expect(reply == welcome)
        #expect(try statements(site) { reply = try client.post(["command": "logout"]) } == ["DELETE"])
        #expect(reply == "")
    }
}
