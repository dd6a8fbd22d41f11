import Foundation
import MariaDB
import PHPSemantics
import TestSupport
import Testing

@testable import IReporter

/// The table of sessions of one test, and what others may put there.
private final class SessionTableFixture {
    let server: MariaDBServer
    let name: String
    let database: Database

    init() throws {
        server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        name = try server.makeDatabase(.current)
        database = Self.connect(server, name)
    }

    private static func connect(_ server: MariaDBServer, _ name: String) -> Database {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = server.socketPath
        configuration.user = "root"
        configuration.database = name
        return Database(configuration)
    }

    /// A database that does not answer.
    static var unreachable: Database {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = "/nonexistent"
        configuration.outagePatience = .zero
        return Database(configuration)
    }

    func plant(_ id: String, _ content: [UInt8], used: String = "UNIX_TIMESTAMP()") throws {
        let data = content.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try sql("INSERT INTO sessions VALUES (UNHEX(SHA2('\(id)', 256)), X'\(data)', \(used))")
    }

    func plant(_ id: String, _ content: String, age: Int = 0) throws {
        try plant(id, Array(content.utf8), used: "UNIX_TIMESTAMP() - \(age)")
    }

    @discardableResult
    func sql(_ statement: String) throws -> String {
        try server.run(statement, database: name).trimmingCharacters(in: .newlines)
    }

    /// Seconds since a session was used, as far as its row tells.
    func age(_ id: String) throws -> Int? {
        Int(try sql("SELECT UNIX_TIMESTAMP() - used FROM sessions WHERE id = UNHEX(SHA2('\(id)', 256))"))
    }

    func content(_ id: String) throws -> String {
        try sql("SELECT data FROM sessions WHERE id = UNHEX(SHA2('\(id)', 256))")
    }

    /// How many rows belong to sessions that have not ended.
    var living: String {
        get throws { try sql("SELECT COUNT(*) FROM sessions WHERE used > 1") }
    }
}

@Suite struct DatabaseSessionStoreTests {
    private let table: SessionTableFixture
    private let store = DatabaseSessionStore(lifetime: 1440)
    private var database: Database { table.database }

    init() throws {
        table = try SessionTableFixture()
    }

    private func id(_ text: String) -> SessionID { SessionID(text.utf8)! }

    private func user(_ text: String) throws -> Int64? { try store.read(id(text), database)?.loggedInUser() }

    // MARK: Reading, beginning, ending

    @Test func unknownSessionIsNone() throws {
        #expect(try store.read(id("abc"), database) == nil)
    }

    @Test func newSessionIsAsPHPWritesItUnderTheDigestOfItsID() throws {
        let new = try store.begin(user: 13, replacing: nil, database)
        #expect(new.bytes.count == 26)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "1")
        #expect(try table.content("\(new)") == #"IdUser|s:2:"13";"#)
        #expect(try #require(try table.age("\(new)")) < 60)
        #expect(try user("\(new)") == 13)
    }

    @Test func loginKeepsOtherKeysUnderANewID() throws {
        try table.plant("abc", #"cart|a:1:{i:0;s:3:"x;|";}IdUser|s:1:"5";n|i:7;"#)
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        #expect(new != id("abc"))
        #expect(try table.content("\(new)") == #"cart|a:1:{i:0;s:3:"x;|";}IdUser|s:2:"13";n|i:7;"#)
        #expect(try store.read(id("abc"), database) == nil)
        #expect(try table.living == "1")
    }

    @Test(arguments: ["latin1", "utf8mb4", "binary"])
    func otherKeysKeepTheirBytes(characterSet: String) throws {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = table.server.socketPath
        configuration.user = "root"
        configuration.database = table.name
        configuration.characterSet = characterSet
        let database = Database(configuration)
        let other = Array(#"n|s:256:""#.utf8) + (0...255).map { UInt8($0) } + Array(#"";"#.utf8)
        try table.plant("abc", other)
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        #expect(try store.read(new, database)?.encoded() == other + Array(#"IdUser|s:2:"13";"#.utf8))
    }

    @Test func endedSessionsKeysDoNotComeAlong() throws {
        try table.plant("abc", "n|i:7;", age: 2000)
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        #expect(try table.content("\(new)") == #"IdUser|s:2:"13";"#)
        #expect(try store.read(id("abc"), database) == nil)
    }

    @Test func keysOfAReplacedSessionDoNotComeAlongAgain() throws {
        try table.plant("abc", "n|i:7;")
        _ = try store.begin(user: 13, replacing: id("abc"), database)
        let second = try store.begin(user: 14, replacing: id("abc"), database)
        #expect(try table.content("\(second)") == #"IdUser|s:2:"14";"#)
        #expect(try store.read(id("abc"), database) == nil)
    }

    @Test func unknownIDIsNotAdopted() throws {
        for _ in 1...2 {
            let new = try store.begin(user: 13, replacing: id("chosen-by-somebody-else"), database)
            #expect(new != id("chosen-by-somebody-else"))
            #expect(try store.read(id("chosen-by-somebody-else"), database) == nil)
            #expect(try user("\(new)") == 13)
        }
        #expect(try table.living == "2")
        store.touch(id("chosen-by-somebody-else"))
        store.keepHouse(database, second: 30)
        #expect(try store.read(id("chosen-by-somebody-else"), database) == nil)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "2", "its row is gone")
    }

    @Test func idsDiffer() throws {
        let ids = try (0..<200).map { _ in try store.begin(user: 1, replacing: nil, database) }
        #expect(Set(ids).count == 200)
    }

    @Test func destroyedSessionIsGone() throws {
        try table.plant("abc", #"IdUser|s:2:"13";"#)
        try store.destroy(id("abc"), database)
        #expect(try table.sql("SELECT COUNT(*) FROM sessions") == "0")
        try store.destroy(id("abc"), database)
    }

    /// What others may have put into the table; nobody is logged in by it, and a log-in replaces it.
    @Test(arguments: [
        #"x|s:20:"a;IdUser|s:1:"7";abc";"#, #"x|a:1:{s:6:"IdUser";s:1:"7";}"#, #"IdUser|s:99:"13";"#,
        #"IdUser|s:2:"13""#, #"IdUser|s:0:"";"#, #"IdUser|s:1:"0";"#, "IdUser|N;", "IdUser|b:0;", "NULL", "", "\0",
        #"iduser|s:2:"13";"#, "IdUser|a:1000000000:{}", "IdUser|i:99999999999999999999999999",
        #"IdUser|s:18446744073709551617:"13";"#, "\u{FF}\u{FE}|", "|||", #"!IdUser|s:2:"13";"#,
    ])
    func hostileRowLogsNobodyIn(content: String) throws {
        try table.plant("abc", content)
        #expect(try user("abc") == nil)
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        #expect(try user("\(new)") == 13)
        #expect(try store.read(id("abc"), database) == nil)
    }

    @Test(arguments: [(1 << 20) - 100, 1 << 20, 15 << 20])
    func hugeRowIsNotRead(count: Int) throws {
        let start = #"IdUser|s:2:"13";x|s:\#(count):""#
        try table.plant("abc", start)
        try table.sql(#"UPDATE sessions SET data = CONCAT(data, REPEAT('y', \#(count)), '";')"#)
        #expect(try user("abc") == (count < 1 << 20 ? 13 : nil))
        let new = try store.begin(user: 14, replacing: id("abc"), database)
        #expect(try user("\(new)") == 14)
        #expect(try user("abc") == nil)
    }

    @Test func keysThatWouldMakeASessionUnreadableAreLeftBehind() throws {
        // Just short enough to be read.
        let rest = (1 << 20) - #"n|s:1048560:"";"#.utf8.count
        try table.plant("abc", "")
        try table.sql(#"UPDATE sessions SET data = CONCAT('n|s:\#(rest):"', REPEAT('y', \#(rest)), '";')"#)
        let length = try table.sql("SELECT LENGTH(data) FROM sessions")
        #expect(try #require(Int(length)) <= 1 << 20)
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        #expect(try table.content("\(new)") == #"IdUser|s:2:"13";"#)
    }

    // MARK: Time

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
        let finished = DispatchSemaphore(value: 0)
        // The other side has changed more, so that it is the session's statement that is given up.
        let other = Thread {
            _ = try? server.run(
                """
                BEGIN;
                INSERT INTO sessions SELECT UNHEX(SHA2(CONCAT('s', seq), 256)), '', 5 FROM seq_1_to_100;
                SELECT 1 FROM sessions WHERE id = UNHEX(SHA2('abc', 256)) FOR UPDATE;
                SELECT SLEEP(1.5), 'deadlock-test';
                SELECT COUNT(*) FROM sessions FOR UPDATE;
                ROLLBACK
                """,
                database: name
            )
            finished.signal()
        }
        let before = try deadlocks()
        other.start()
        #expect(
            waitUntil(within: 30) {
                let list = try? server.run("SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = '\(name)'")
                return list?.contains("deadlock-test") ?? false
            }
        )
        let new = try store.begin(user: 13, replacing: id("abc"), database)
        finished.wait()
        #expect(try deadlocks() == before + 1)
        #expect(try table.content("\(new)") == #"n|i:7;IdUser|s:2:"13";"#)
    }

    private func deadlocks() throws -> Int {
        let text = try table.sql("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
        return try #require(text.split(separator: "\t").last.flatMap { Int($0) })
    }
}
