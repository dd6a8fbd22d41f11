import FastCGI
import Glibc
import MariaDB
import TestSupport
import Testing

@testable import IReporter

/// The kept list and what proves it, on tables of each kind.
@Suite struct KeptStreamProofTests {
    private let server: MariaDBServer
    private let name: String
    private let kept = KeptStream()

    init() throws {
        server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        name = try server.makeDatabase(.legacy)
        try server.run("INSERT INTO login (IdUser, username) VALUES (1, 'bob')", database: name)
        try insert(3, 5, 9)
    }

    private func connect() -> Database { SessionTableFixture.connect(server, name) }

    private func insert(_ ids: Int...) throws {
        let rows = ids.map { "(\($0), 'p\($0)', 1)" }.joined(separator: ", ")
        try server.run("INSERT INTO photos (IdPhoto, title, IdUser) VALUES \(rows)", database: name)
    }

    /// The reply's ids.
    private func list(_ database: Database) throws -> [Int] {
        let body = String(decoding: try kept.newest(database).body, as: UTF8.self)
        return body.split(separator: "{").compactMap { row in
            row.hasPrefix(#""IdPhoto":""#) ? Int(row.dropFirst(11).prefix { $0 != "\"" }) : nil
        }
    }

    private static let tables = [
        "ENGINE = MyISAM", "ENGINE = InnoDB", "ENGINE = Aria",
        "ENGINE = MyISAM PARTITION BY HASH (IdPhoto) PARTITIONS 3",
    ]

    @Test(arguments: tables)
    func newPhotoShowsAtOnce(table: String) throws {
        try server.run("ALTER TABLE photos \(table)", database: name)
        let database = connect()
        #expect(try list(database) == [9, 5, 3])
        for id in 10...14 {
            try insert(id)
            #expect(try list(database) == Array((10...id).reversed()) + [9, 5, 3])
        }
    }

    @Test(arguments: tables)
    func emptyTableIsKeptToo(table: String) throws {
        try server.run("ALTER TABLE photos \(table); DELETE FROM photos", database: name)
        let database = connect()
        #expect(try list(database) == [])
        #expect(try list(database) == [])
        try insert(40)
        #expect(try list(database) == [40])
    }

    // Where ids need not appear in their order, all of them are compared, so that even this shows at once.
    @Test(arguments: tables.dropFirst())
    func deletionInTheMiddleShowsAtOnceWhereAllIDsAreCompared(table: String) throws {
        try server.run("ALTER TABLE photos \(table)", database: name)
        let database = connect()
        #expect(try list(database) == [9, 5, 3])
        try server.run("DELETE FROM photos WHERE IdPhoto = 5", database: name)
        #expect(try list(database) == [9, 3])
    }

    @Test func deletionOnMyISAMShowsWithinASecond() throws {
        let database = connect()
        #expect(try list(database) == [9, 5, 3])
        try server.run("DELETE FROM photos WHERE IdPhoto = 5", database: name)
        usleep(600_000)
        #expect(try list(database) == [9, 3])
    }

    @Test func lateRowOfATableThatWasMyISAMShowsAtOnce() throws {
        let (database, early) = (connect(), connect())
        #expect(try list(database) == [9, 5, 3])
        try server.run("ALTER TABLE photos ENGINE = InnoDB", database: name)
        #expect(try list(database) == [9, 5, 3])
        try early.transaction { () throws(DatabaseError) in
            try early.execute("INSERT INTO photos (title, IdUser) VALUES ('late', 1)")
            try connect().execute("INSERT INTO photos (title, IdUser) VALUES ('first to be seen', 1)")
            let seen = try? list(database)
            #expect(seen == [11, 9, 5, 3])
            return .commit(())
        }
        #expect(try list(database) == [11, 10, 9, 5, 3])
    }
}
