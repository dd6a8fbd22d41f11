import MariaDB
import TestSupport
import Testing

@Suite("Transactions and locks")
struct TransactionTests {
    let server: MariaDBServer

    init() throws {
        server = try MariaDBServer.shared()
    }

    private func insert(_ database: Database) throws(DatabaseError) {
        try database.execute("INSERT INTO photos (title, IdUser) VALUES ('t', 1)")
    }

    private func count(_ database: Database) throws(DatabaseError) -> String? {
        try database.value("SELECT COUNT(*) FROM photos")
    }

    @Test("a commit is seen by others only then")
    func commit() throws {
        let configuration = server.configuration(try server.makeDatabase(.current))
        let (database, other) = (Database(configuration), Database(configuration))
        let seen = try database.transaction { () throws(DatabaseError) in
            try insert(database)
            return .commit([try count(database), try count(other)])
        }
        #expect(seen == ["1", "0"])
        #expect(try count(other) == "1")
    }

    @Test("a rollback undoes on InnoDB, and not on MyISAM", arguments: [(Schema.current, "0"), (.legacy, "1")])
    func rollback(schema: Schema, expected: String) throws {
        let database = Database(server.configuration(try server.makeDatabase(schema)))
        let value = try database.transaction { () throws(DatabaseError) in
            try insert(database)
            return .rollback("kept")
        }
        #expect(value == "kept")
        #expect(try count(database) == expected)
    }

    @Test("an error rolls back, and the next transaction is a new one")
    func failure() throws {
        let database = Database(server.configuration(try server.makeDatabase(.current)))
        let failure = error { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try insert(database)
                try database.execute("SELECT 1 FROM nowhere")
                return .commit(())
            }
        }
        #expect(failure?.diagnostic.code == 1146)
        #expect(try count(database) == "0")
        try database.transaction { () throws(DatabaseError) in
            try insert(database)
            return .commit(())
        }
        #expect(try count(database) == "1")
    }

    @Test("a server that does not commit by itself is told to")
    func autocommit() throws {
        var options = MariaDBServer.Options()
        options.more = ["--autocommit=0"]
        let server = try MariaDBServer.shared(options)
        let configuration = server.configuration(try server.makeDatabase(.current))
        try insert(Database(configuration))
        #expect(try count(Database(configuration)) == "1")
    }

    @Test("a lock is held by one at a time and given back")
    func lock() throws {
        let configuration = server.configuration(try server.makeDatabase(.legacy))
        let (database, other) = (Database(configuration), Database(configuration))
        let value = try database.withLock("a lock", waitingAtMost: 5) { () throws(DatabaseError) in
            let failure = error { () throws(DatabaseError) in
                try other.withLock("a lock", waitingAtMost: 0) { () throws(DatabaseError) in try insert(other) }
            }
            #expect(failure?.diagnostic.code == 1205)
            try insert(database)
            return try count(other)
        }
        #expect(value == "1")
        try other.withLock("a lock", waitingAtMost: 0) { () throws(DatabaseError) in try insert(other) }
        #expect(try count(database) == "2")
    }

    @Test("a lock is given back after an error, and may hold a transaction")
    func lockAndTransaction() throws {
        let configuration = server.configuration(try server.makeDatabase(.current))
        let (database, other) = (Database(configuration), Database(configuration))
        let failure = error { () throws(DatabaseError) in
            try database.withLock("another lock", waitingAtMost: 5) { () throws(DatabaseError) in
                try database.transaction { () throws(DatabaseError) in
                    try insert(database)
                    try database.execute("SELECT 1 FROM nowhere")
                    return .commit(())
                }
            }
        }
        #expect(failure?.diagnostic.code == 1146)
        #expect(try count(database) == "0")
        try other.withLock("another lock", waitingAtMost: 0) { () throws(DatabaseError) in try insert(other) }
    }
}
