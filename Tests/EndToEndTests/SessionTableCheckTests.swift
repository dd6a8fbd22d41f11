import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of the table of sessions, and that the worker then does not start.
@Suite(.serialized) struct SessionTableCheckTests {
    private func setup() throws -> CheckTests.Setup {
        let setup = try CheckTests.Setup(.current)
        setup.environment["IREPORTER_SESSION_STORE"] = "database"
        return setup
    }

    @Test func soundTableHasNoProblem() throws {
        let setup = try setup()
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("sessions\n  ok       table sessions: InnoDB, for 1440 s\n"), "\(output)")
        #expect(output.contains("IREPORTER_SESSION_STORE=database\n"))
        #expect(output.contains("IREPORTER_SESSION_COOKIE_MAX_AGE=0 (default)\n"))
        #expect(try setup.server.run("SELECT COUNT(*) FROM sessions", database: setup.database) == "0\n")
    }

    @Test func tableOfAnotherEngineWorksAndGetsAdvice() throws {
        let setup = try setup()
        try setup.sql("ALTER TABLE sessions ENGINE=MyISAM")
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("advice   table sessions: MyISAM, for 1440 s"))
    }

    @Test(arguments: breaks)
    func brokenTableIsNamedWithItsCureAndKeepsTheWorkerFromStarting(_ example: CheckTests.Break) throws {
        let setup = try setup()
        try example.apply(setup)
        let (status, output) = try setup.check(["--quiet"])
        #expect(status == 1, "\(output)")
        let lines = output.split(separator: "\n")
        let problem = try #require(lines.firstIndex { $0 == "  problem  \(example.problem)" }, "\(output)")
        #expect(lines[problem + 1].hasPrefix("           -> "))
        #expect(lines[problem + 1].contains(example.cure), "\(lines[problem + 1])")

        let worker = try WorkerProcess(["serve"], environment: setup.environment)
        #expect(waitUntil(within: 30) { !worker.isRunning }, "it serves")
        #expect(worker.terminate() == 1)
        let said = worker.standardError.split(separator: "\n")
        #expect(said.first == "ireporter: sessions cannot be kept in the database: \(example.problem)")
        #expect(said.last?.contains(example.cure) ?? false)
    }

    static let breaks = [
        CheckTests.Break(
            name: "no table",
            apply: { try $0.sql("DROP TABLE sessions") },
            problem: "there is no table sessions",
            cure: "sql/upgrade/004-sessions.sql"
        ),
        CheckTests.Break(
            name: "somebody else's table",
            apply: {
                try $0.sql("DROP TABLE sessions; CREATE TABLE sessions (id varchar(128) PRIMARY KEY, data text)")
            },
            problem: "the table sessions is not the worker's: it lacks a column",
            cure: "rename it, then ireporter migrate --only 4"
        ),
        CheckTests.Break(
            name: "a key with a character set",
            apply: { try $0.sql("ALTER TABLE sessions MODIFY id char(32)") },
            problem: "the table sessions is not the worker's: id is char(32)",
            cure: "rename it"
        ),
        CheckTests.Break(
            name: "no room for the data",
            apply: { try $0.sql("ALTER TABLE sessions MODIFY data varbinary(255)") },
            problem: "the table sessions is not the worker's: data is varbinary(255)",
            cure: "rename it"
        ),
        CheckTests.Break(
            name: "another time",
            apply: { try $0.sql("ALTER TABLE sessions MODIFY used datetime") },
            problem: "the table sessions is not the worker's: used is datetime",
            cure: "rename it"
        ),
        CheckTests.Break(
            name: "no key",
            apply: { try $0.sql("ALTER TABLE sessions DROP PRIMARY KEY, ADD KEY (id), ADD UNIQUE (id, used)") },
            problem: "the table sessions has no unique key on id alone",
            cure: "ADD PRIMARY KEY (id)"
        ),
        CheckTests.Break(
            name: "a column that must be filled",
            apply: { try $0.sql("ALTER TABLE sessions ADD owner int NOT NULL") },
            problem: "sessions.owner must be filled and has no default, so no session can be added",
            cure: "ALTER TABLE sessions ALTER owner SET DEFAULT"
        ),
        CheckTests.Break(
            name: "rights to read and add only",
            apply: { try $0.account("s\(UInt32.random(in: 0...UInt32.max))", rights: "SELECT, INSERT") },
            problem: "the account lacks UPDATE on sessions, DELETE on sessions",
            cure: "GRANT SELECT, INSERT, UPDATE, DELETE"
        ),
        CheckTests.Break(
            name: "no rights",
            apply: { setup in
                let name = "t\(UInt32.random(in: 0...UInt32.max))"
                try setup.account(name, rights: "CREATE")
                for table in ["login", "photos"] {
                    try setup.sql("GRANT ALL ON \(setup.database).\(table) TO '\(name)'@localhost")
                }
            },
            problem: "the account lacks SELECT on sessions",
            cure: "GRANT SELECT, INSERT, UPDATE, DELETE"
        ),
    ]
}
