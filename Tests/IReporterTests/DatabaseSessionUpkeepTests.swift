import Foundation
import MariaDB
import PHPSemantics
import TestSupport
import Testing

@testable import IReporter

/// Sessions in the table: their time, and trouble with the database.
@Suite struct DatabaseSessionUpkeepTests {
    private let table: SessionTableFixture
    private let store = DatabaseSessionStore(lifetime: 1440)
    private var database: Database { table.database }

    init() throws {
        table = try SessionTableFixture()
    }

    private func id(_ text: String) -> SessionID { SessionID(text.utf8)! }

    private func user(_ text: String) throws -> Int64? { try store.read(id(text), database)?.loggedInUser() }

    // A use may take 30 s to be told, which the lifetime is longer by.
    @Test(arguments: [("- 1465", true), ("- 1480", false), ("+ 1400", true), ("+ 1600", false)])
    func sessionEndsWhenIdle(used: String, lives: Bool) throws {
        try table.plant("abc", Array(#"IdUser|s:2:"13";"#.utf8), used: "UNIX_TIMESTAMP() \(used)")
        #expect(try (store.read(id("abc"), database) != nil) == lives)
        store.keepHouse(database, second: 30)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == (lives ? "1" : "0"))
    }

    @Test(arguments: ["0", "1", "4294967295"])
    func timesThatCannotBeAreEnded(used: String) throws {
        try table.plant("abc", Array(#"IdUser|s:2:"13";"#.utf8), used: used)
        #expect(try user("abc") == nil)
        store.touch(id("abc"))
        store.keepHouse(database, second: 30)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "0")
    }

    @Test func useKeepsASessionAliveWithoutAWritePerRequest() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#, age: 1000)
        for _ in 1...100 {
            store.touch(id("abc"))
        }
        store.keepHouse(database, second: 29)
        #expect(try #require(try table.age("abc")) >= 1000)
        store.keepHouse(database, second: 30)
        #expect(try #require(try table.age("abc")) < 60)
        // Told once.
        try table.sql("UPDATE sessions SET used = UNIX_TIMESTAMP() - 1000")
        store.keepHouse(database, second: 60)
        #expect(try #require(try table.age("abc")) >= 1000)
    }

    @Test func useOfAFreshSessionWritesNothing() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#, age: 30)
        store.touch(id("abc"))
        store.keepHouse(database, second: 30)
        #expect(try #require(try table.age("abc")) >= 30)
    }

    @Test func useDoesNotReviveAnEndedSession() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#, age: 2000)
        store.touch(id("abc"))
        store.saveAll(database)
        #expect(try user("abc") == nil)
    }

    @Test func useDoesNotReviveAReplacedOrDestroyedSession() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#, age: 100)
        try table.plant("def", #"IdUser|s:2:"13";"#, age: 100)
        store.touch(id("abc"))
        store.touch(id("def"))
        _ = try store.begin(user: 13, replacing: id("abc"), database)
        try store.destroy(id("def"), database)
        store.saveAll(database)
        #expect(try user("abc") == nil)
        #expect(try user("def") == nil)
    }

    @Test func manyUsesAreToldAtOnce() throws {
        try table.sql(
            """
            INSERT INTO sessions SELECT UNHEX(SHA2(CONCAT('s', seq), 256)), '', UNIX_TIMESTAMP() - 1000 FROM seq_1_to_2500
            """
        )
        for number in 1...2500 {
            store.touch(id("s\(number)"))
        }
        // Not its turn yet, but too many to wait for it.
        store.keepHouse(database, second: 1)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions WHERE used > UNIX_TIMESTAMP() - 900") == "2500")
    }

    @Test func endedSessionsAreRemovedInBoundedBatches() throws {
        try table.sql(
            """
            INSERT INTO sessions SELECT UNHEX(SHA2(CONCAT('s', seq), 256)), 'x|i:1;', 2 * seq FROM seq_1_to_20500;
            INSERT INTO sessions SELECT UNHEX(SHA2(CONCAT('t', seq), 256)), '', UNIX_TIMESTAMP() FROM seq_1_to_10
            """
        )
        store.keepHouse(database, second: 29)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "20510")
        store.keepHouse(database, second: 30)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "510")
        // Another worker's turn.
        DatabaseSessionStore(lifetime: 1440).keepHouse(database, second: 30)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "10")
    }

    // MARK: Trouble

    @Test func silentDatabaseIsAnErrorAndNotALogout() throws {
        let away = SessionTableFixture.unreachable
        try table.plant("abc", #"IdUser|s:2:"13";"#)
        #expect {
            try store.read(id("abc"), away)
        } throws: {
            if case .database(.unavailable) = $0 as? SessionError { true } else { false }
        }
        #expect(throws: SessionError.self) { try store.begin(user: 13, replacing: id("abc"), away) }
        #expect(try user("abc") == 13)
    }

    @Test func logoutDuringAnOutageHoldsAtOnceAndIsToldLater() throws {
        let away = SessionTableFixture.unreachable
        try table.plant("abc", #"IdUser|s:2:"13";n|i:7;"#)
        try store.destroy(id("abc"), away)
        #expect(try user("abc") == nil, "although its row is still there")
        let new = try store.begin(user: 14, replacing: id("abc"), database)
        #expect(try table.content("\(new)") == #"IdUser|s:2:"14";"#)
        store.keepHouse(away, second: 1)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "2")
        store.keepHouse(database, second: 1)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "1")
        #expect(!store.hasPending)
    }

    @Test func useIsRememberedThroughAnOutage() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#, age: 1000)
        store.touch(id("abc"))
        store.keepHouse(SessionTableFixture.unreachable, second: 30)
        store.keepHouse(database, second: 60)
        #expect(try #require(try table.age("abc")) < 60)
    }

    @Test func whatCannotBeRememberedIsSaid() throws {
        let away = SessionTableFixture.unreachable
        let store = DatabaseSessionStore(lifetime: 1440, pendingLimit: 1)
        try store.destroy(id("abc"), away)
        try store.destroy(id("abc"), away)
        #expect(throws: SessionError.self) { try store.destroy(id("def"), away) }
        store.touch(id("a"))
        store.touch(id("b"))
        try table.plant("a", "", age: 1000)
        try table.plant("b", "", age: 1000)
        store.saveAll(database)
        #expect(try #require(try table.age("a")) < 60)
        #expect(try #require(try table.age("b")) >= 1000)
    }

    @Test func deadlockIsTriedAgain() throws {
        try table.plant("abc", "n|i:7;")
        let (server, name) = (table.server, table.name)
        @Sendable func isExecuting(_ text: String) -> Bool {
            let list = try? server.run("SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = '\(name)'")
            return list?.contains(text) ?? false
        }
        let isHeld = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        // Holds the other side back until the session's statement waits for it.
        let conductor = Thread {
            let database = SessionTableFixture.connect(server, name)
            _ = try? database.rows("SELECT GET_LOCK('deadlock', 0)")
            isHeld.signal()
            _ = waitUntil(within: 30) { isExecuting("INSERT INTO sessions (id") }
            database.disconnect()
            finished.signal()
        }
        // Has changed more, so that it is the session's statement that is given up.
        let other = Thread {
            _ = try? server.run(
                """
                BEGIN;
                INSERT INTO sessions SELECT UNHEX(SHA2(CONCAT('s', seq), 256)), '', 5 FROM seq_1_to_100;
                SELECT 1 FROM sessions WHERE id = UNHEX(SHA2('abc', 256)) FOR UPDATE;
                DO GET_LOCK('deadlock', 60);
                SELECT COUNT(*) FROM sessions FOR UPDATE;
                ROLLBACK
                """,
                database: name
            )
            finished.signal()
        }
        let before = try deadlocks()
        conductor.start()
        isHeld.wait()
        other.start()
        #expect(waitUntil(within: 30) { isExecuting("DO GET_LOCK") })
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        finished.wait()
        finished.wait()
        #expect(try deadlocks() == before + 1)
        #expect(try table.content("\(new)") == #"n|i:7;IdUser|s:2:"13";"#)
    }

    private func deadlocks() throws -> Int {
        let text = try table.sql("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
        return try #require(text.split(separator: "\t").last.flatMap { Int($0) })
    }
}
