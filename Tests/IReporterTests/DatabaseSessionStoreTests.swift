import Foundation
import MariaDB
import PHPSemantics
import TestSupport
import Testing

@testable import IReporter

/// Sessions in the table: read, begun, ended.
@Suite struct DatabaseSessionStoreTests {
    private let table: SessionTableFixture
    private let store = DatabaseSessionStore(lifetime: 1440)
    private var database: Database { table.database }

    init() throws {
        table = try SessionTableFixture()
    }

    private func id(_ text: String) -> SessionID { SessionID(text.utf8)! }

    private func user(_ text: String) throws -> Int64? { try store.read(id(text), database)?.loggedInUser() }

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
}
