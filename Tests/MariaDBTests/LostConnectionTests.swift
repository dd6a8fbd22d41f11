import MariaDB
import TestSupport
import Testing

/// Connections that end at every point of a statement, made to do so by a proxy.
@Suite("A connection that is lost")
struct LostConnectionTests {
    let server: MariaDBServer
    let proxy: CuttingProxy
    let database: Database

    init() throws {
        server = try MariaDBServer.shared()
        proxy = try CuttingProxy(to: server.socketPath)
        var configuration = server.configuration(try server.makeDatabase(.current))
        configuration.socketPath = proxy.path
        configuration.readTimeout = 1
        database = Database(configuration)
        try database.execute("INSERT INTO photos (title, IdUser) VALUES ('first', 1)")
        // Prepares what the tests use, so that what is cut is the execution.
        _ = try count()
        try insert("second")
    }

    private func count() throws(DatabaseError) -> String? {
        try database.value("SELECT COUNT(*) FROM photos")
    }

    private func insert(_ title: String) throws(DatabaseError) {
        try database.execute("INSERT INTO photos (title, IdUser) VALUES (?, 1)", [.text(title)])
    }

    @Test("a query is repeated on a new one", arguments: [CuttingProxy.Mode.cutAnswer, .cutRequest, .swallow])
    func query(mode: CuttingProxy.Mode) throws {
        let before = proxy.connections
        proxy.next(mode)
        #expect(try count() == "2")
        #expect(proxy.connections == before + 1)
    }

    @Test(
        "a change is not repeated, whether the server got it or not",
        arguments: [(CuttingProxy.Mode.cutAnswer, "3"), (.cutRequest, "2"), (.swallow, "2")]
    )
    func change(mode: CuttingProxy.Mode, expected: String) throws {
        proxy.next(mode)
        guard case .lost = error(of: { () throws(DatabaseError) in try insert("third") }) else {
            Issue.record("its fate is not known")
            return
        }
        #expect(try count() == expected)
        try insert("fourth")
        #expect(try database.texts("SELECT title FROM photos ORDER BY IdPhoto DESC LIMIT 1") == [["fourth"]])
    }

    @Test("a change that was only being prepared is repeated", arguments: [CuttingProxy.Mode.cutAnswer, .cutRequest])
    func preparation(mode: CuttingProxy.Mode) throws {
        proxy.next(mode)
        try database.execute("INSERT INTO photos (IdUser, title) VALUES (?, 'third')", [.integer(1)])
        #expect(try count() == "3")
    }

    @Test("rows are lent once, though the query is repeated")
    func rowsOnce() throws {
        var titles: [String] = []
        proxy.next(.cutAnswer)
        try database.query("SELECT title FROM photos ORDER BY IdPhoto") { row in
            titles.append(String(decoding: row.bytes(0) ?? [], as: UTF8.self))
        }
        #expect(titles == ["first", "second"])
    }

    @Test(
        "a transaction is rolled back and nothing of it is repeated",
        arguments: [CuttingProxy.Mode.cutAnswer, .cutRequest]
    )
    func transaction(mode: CuttingProxy.Mode) throws {
        let failure = error { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try insert("third")
                proxy.next(mode)
                let query = error { () throws(DatabaseError) in _ = try count() }
                // Even one that is caught does not let the rest run outside of the transaction.
                guard case .lost = query else { return .commit(()) }
                try insert("fourth")
                return .commit(())
            }
        }
        guard case .lost = failure else {
            Issue.record("the transaction is gone: \(String(describing: failure))")
            return
        }
        #expect(try count() == "2")
    }

    @Test("a commit without an answer is reported as lost")
    func commit() throws {
        let failure = error { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try insert("third")
                proxy.next(.cutAnswer)
                return .commit(())
            }
        }
        guard case .lost = failure else {
            Issue.record("its fate is not known")
            return
        }
        #expect(try count() == "3")
    }

    @Test("the beginning of a transaction is repeated")
    func begin() throws {
        proxy.next(.cutAnswer)
        try database.transaction { () throws(DatabaseError) in
            try insert("third")
            return .commit(())
        }
        #expect(try count() == "3")
    }

    @Test("nothing under a lock is repeated without it")
    func lock() throws {
        let failure = error { () throws(DatabaseError) in
            try database.withLock("lost-connection-tests", waitingAtMost: 5) { () throws(DatabaseError) in
                proxy.next(.cutRequest)
                _ = error { () throws(DatabaseError) in _ = try count() }
                try insert("third")
            }
        }
        guard case .lost = failure else {
            Issue.record("the lock is gone")
            return
        }
        #expect(try count() == "2")
    }
}
