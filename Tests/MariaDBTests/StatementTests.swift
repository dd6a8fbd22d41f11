import MariaDB
import TestSupport
import Testing

@Suite("Statements")
struct StatementTests {
    let server: MariaDBServer

    init() throws {
        server = try MariaDBServer.shared()
    }

    private func database(_ schema: Schema) throws -> Database {
        Database(server.configuration(try server.makeDatabase(schema)))
    }

    private func prepared(_ database: Database) throws(DatabaseError) -> Int? {
        // Counts itself once.
        try database.texts("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'").first?.last.flatMap { $0.flatMap { Int($0) } }
    }

    @Test("are prepared once per connection and text")
    func caching() throws {
        let database = try database(.current)
        for name in ["a", "b", "c"] {
            try database.execute("INSERT INTO login (username, pass) VALUES (?, ?)", [.text(name), .binary([1])])
            _ = try database.value("SELECT pass FROM login WHERE username = ?", [.text(name)])
        }
        #expect(try prepared(database) == 3)
        #expect(try prepared(database) == 3)
        database.disconnect()
        #expect(try prepared(database) == 1)
    }

    @Test("say how many rows they changed and which id they gave", arguments: [Schema.legacy, .current])
    func executions(schema: Schema) throws {
        let database = try database(schema)
        func insert(_ name: String) throws -> Execution {
            try database.execute("INSERT INTO login (username, pass) VALUES (?, 'x')", [.text(name)])
        }
        #expect(try insert("bob") == Execution(insertID: 1, affectedRows: 1, warningCount: 0))
        #expect(try insert("eve") == Execution(insertID: 2, affectedRows: 1, warningCount: 0))
        #expect(try database.execute("UPDATE login SET pass = 'y'").affectedRows == 2)
        // As in PHP, a row that already holds the value was not changed.
        #expect(try database.execute("UPDATE login SET pass = 'y'").affectedRows == 0)
        #expect(try database.execute("DELETE FROM login WHERE IdUser = ?", [.integer(1)]).affectedRows == 1)
        #expect(try database.execute("DELETE FROM login WHERE IdUser = ?", [.integer(1)]).affectedRows == 0)
        #expect(try database.execute("DO 1") == Execution(insertID: 0, affectedRows: 0, warningCount: 0))
    }

    @Test("that return rows may be executed, and others queried")
    func wrongWay() throws {
        let database = try database(.current)
        try database.execute("SELECT REPEAT('x', 100000) FROM information_schema.COLLATIONS LIMIT 10")
        #expect(try database.rows("DO 1") == [])
        #expect(try database.value("SELECT 1") == "1")
        try database.execute(unprepared: "SELECT 1, 2")
        #expect(try database.value("SELECT 1") == "1")
    }

    @Test("that change something hand over what they return, time after time")
    func returning() throws {
        let database = try database(.current)
        for round in 1...3 {
            var rows: [[String?]] = []
            try database.execute(
                "INSERT INTO login (username, pass) VALUES (?, 'x'), (?, REPEAT('y', 200)) RETURNING IdUser, username, pass",
                [.text("a\(round)"), .text("b\(round)")]
            ) { row in
                rows.append((0..<row.count).map { row.bytes($0).map { String(decoding: $0, as: UTF8.self) } })
            }
            let long = String(repeating: "y", count: 200)
            #expect(rows == [["\(2 * round - 1)", "a\(round)", "x"], ["\(2 * round)", "b\(round)", long]])
        }
        try database.execute("DELETE FROM login WHERE IdUser > ? RETURNING username", [.integer(4)])
        var left: [[UInt8]?] = []
        try database.execute("DELETE FROM login RETURNING username") { left.append($0.bytes(0)) }
        #expect(left == ["a1", "b1", "a2", "b2"].map { Array($0.utf8) })
    }

    @Test("that fail after their first row say why, and change nothing")
    func failureAmongRows() throws {
        let database = try database(.current)
        let failure = error { () throws(DatabaseError) in
            try database.execute(
                """
                INSERT INTO login (username, pass) SELECT CONCAT('u', seq), IF(seq < 5, 'x', (SELECT seq FROM seq_1_to_2)) \
                FROM seq_1_to_9 RETURNING username
                """
            )
        }
        #expect(failure?.diagnostic.code == 1242, "\(failure as Any)")
        #expect(try database.value("SELECT COUNT(*) FROM login") == "0")
    }

    @Test("a second row of a unique key is refused as that, its value not repeated")
    func duplicateKey() throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let database = Database(server.configuration(try server.makeDatabase(.current)))
        func insert(_ name: String) throws(DatabaseError) {
            try database.execute("INSERT INTO login (username, pass) VALUES (?, 'x')", [.text(name)])
        }
        try insert("Bob's")
        // The collation's idea of equal: case and trailing spaces do not count.
        for name in ["Bob's", "bob's", "BOB'S  ", "b\u{f3}b's"] {
            let failure = error { () throws(DatabaseError) in try insert(name) }
            #expect(
                failure
                    == .duplicateKey(
                        .init(code: 1062, sqlState: "23000", message: "Duplicate entry '…' for key 'username'")
                    )
            )
        }
        // Emoji are names of their own, unlike in utf8mb4_general_ci.
        try insert("\u{1f600}")
        try insert("\u{1f601}")
    }

    @Test("legacy tables hold a name twice")
    func noUniqueKey() throws {
        let database = try database(.legacy)
        for _ in 0..<2 { try database.execute("INSERT INTO login (username, pass) VALUES ('bob', 'x')") }
        #expect(try database.value("SELECT COUNT(*) FROM login WHERE username = 'BOB '") == "2")
    }

    @Test(
        "the server's refusals keep the connection, and quote no values",
        arguments: [
            ("INSERT INTO login (username, pass) VALUES (REPEAT('u', 46), 'x')", 1406, "22001"),
            ("INSERT INTO photos (title, IdUser) VALUES (REPEAT('t', 101), 1)", 1406, "22001"),
            ("INSERT INTO photos (title, IdUser) VALUES ('t', 'secret')", 1366, "22007"),
            ("INSERT INTO photos (title) VALUES ('t')", 1364, "HY000"),
            ("SELEC 1", 1064, "42000"),
            ("SELECT 1 FROM nowhere", 1146, "42S02"),
            ("SELECT nothing FROM photos", 1054, "42S22"),
        ] as [(StaticString, UInt32, String)]
    )
    func refusals(sql: StaticString, code: UInt32, sqlState: String) throws {
        let database = try database(.current)
        let identifier = try database.value("SELECT CONNECTION_ID()")
        for _ in 0..<2 {
            guard case .refused(let diagnostic) = error(of: { () throws(DatabaseError) in try database.execute(sql) })
            else {
                Issue.record("it was not refused")
                return
            }
            #expect(diagnostic.code == code)
            #expect(diagnostic.sqlState == sqlState)
            #expect(!diagnostic.message.contains("secret"))
        }
        #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
    }

    @Test("rows of an unprepared compound statement arrive in order, up to its error")
    func compound() throws {
        let database = try database(.current)
        let identifier = try database.value("SELECT CONNECTION_ID()")
        var rows: [[String?]] = []
        let failure = error { () throws(DatabaseError) in
            try database.execute(
                unprepared: """
                    BEGIN NOT ATOMIC
                        SELECT 1, NULL, '';
                        INSERT INTO login (username, pass) VALUES ('bob', '');
                        SELECT username, X'00FF' FROM login WHERE IdUser < 0;
                        SELECT username, 'b' FROM login UNION ALL SELECT 'c', 'd';
                        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'enough';
                    END
                    """
            ) { row in
                rows.append(row.map { value in value.map { String(decoding: $0, as: UTF8.self) } })
            }
        }
        #expect(rows == [["1", nil, ""], ["bob", "b"], ["c", "d"]])
        #expect(failure?.diagnostic == .init(code: 1644, sqlState: "45000", message: "enough"))
        #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
        let insert = try database.execute(unprepared: "INSERT INTO login (username, pass) VALUES ('eve', '')")
        #expect(insert == Execution(insertID: 2, affectedRows: 1, warningCount: 0))
    }

    @Test("a lenient server cuts what is too long, and says so")
    func warnings() throws {
        let database = try database(.legacy)
        try database.execute("SET SESSION sql_mode = ''")
        let insert = try database.execute("INSERT INTO photos (title, IdUser) VALUES (REPEAT('t', 101), 1)")
        #expect(insert == Execution(insertID: 1, affectedRows: 1, warningCount: 1))
        #expect(try database.value("SELECT LENGTH(title) FROM photos") == "100")
    }

    @Test("go on when their table is changed, as a migration does")
    func alteredTable() throws {
        let database = try database(.legacy)
        func titles() throws -> [[String?]] { try database.texts("SELECT * FROM photos WHERE title = ?", [.text("t")]) }
        func insert() throws { try database.execute("INSERT INTO photos (title, IdUser) VALUES (?, 1)", [.text("t")]) }
        try insert()
        #expect(try titles() == [["1", "t", "1"]])
        try database.execute(unprepared: "ALTER TABLE photos ENGINE=InnoDB, CONVERT TO CHARACTER SET utf8mb4")
        try insert()
        #expect(try titles() == [["1", "t", "1"], ["2", "t", "1"]])
        try database.execute(unprepared: "ALTER TABLE photos ADD description text, MODIFY title varchar(2000)")
        try insert()
        #expect(try titles() == [["1", "t", "1", nil], ["2", "t", "1", nil], ["3", "t", "1", nil]])
        try database.execute(unprepared: "ALTER TABLE photos DROP description, DROP IdUser")
        #expect(try titles() == [["1", "t"], ["2", "t"], ["3", "t"]])
    }

    @Test("the schema may be applied twice and leaves existing tables alone", arguments: [Schema.legacy, .current])
    func schemaTwice(schema: Schema) throws {
        let name = try server.makeDatabase(schema)
        let before = try server.run("SHOW CREATE TABLE login; SHOW CREATE TABLE photos", database: name)
        try server.run(Schema.current.sql(), database: name)
        #expect(try server.run("SHOW CREATE TABLE login; SHOW CREATE TABLE photos", database: name) == before)
    }
}
