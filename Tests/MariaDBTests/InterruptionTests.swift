import Dispatch
import MariaDB
import TestSupport
import Testing

/// Waits for the database that another thread ends.
@Suite("An interruption", .serialized)
struct InterruptionTests {
    private let server: MariaDBServer
    private let configuration: DatabaseConfiguration
    private let database: Database

    init() throws {
        server = try MariaDBServer.shared()
        configuration = server.configuration(try server.makeDatabase(.current))
        database = Database(configuration)
    }

    /// Interrupts once the server executes a statement that contains `text`.
    private func interrupt(during text: String) {
        let interruption = database.interruption
        let server = server
        DispatchQueue.global().async {
            try? server.waitUntilExecuting(text)
            interruption.interrupt()
        }
    }

    @Test("ends a query, which is not repeated, and everything after it")
    func query() throws {
        interrupt(during: "SLEEP(30)")
        guard case .lost = error(of: { () throws(DatabaseError) in _ = try database.value("SELECT SLEEP(30)") }) else {
            Issue.record("it was lost")
            return
        }
        let refusal = error(of: { () throws(DatabaseError) in _ = try database.value("SELECT 1") })
        #expect(refusal?.diagnostic.code == 1317)
        guard case .unavailable = refusal else {
            Issue.record("it was not executed")
            return
        }
        database.interruption.reset()
        #expect(try database.value("SELECT 2") == "2")
        #expect(database.use.connects == 2)
        #expect(database.use.lostConnections == 1)
        #expect(database.use.time > .zero)
    }

    @Test("rolls a transaction back")
    func transaction() throws {
        interrupt(during: "SLEEP(29)")
        let failure = error { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO photos (title, IdUser) VALUES ('x', 1)")
                _ = try database.value("SELECT SLEEP(29)")
                return .commit(())
            }
        }
        guard case .lost = failure else {
            Issue.record("it was lost, not \(String(describing: failure))")
            return
        }
        database.interruption.reset()
        let isEmpty = waitUntil(within: 10) { (try? database.value("SELECT COUNT(*) FROM photos")) == "0" }
        #expect(isEmpty)
    }

    @Test("before the end of a transaction leaves nothing of it to what comes later", arguments: [true, false])
    func beforeTheEnd(commits: Bool) throws {
        let failure = error { () throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO photos (title, IdUser) VALUES ('x', 1)")
                database.interruption.interrupt()
                return commits ? .commit(()) : .rollback(())
            }
        }
        #expect(failure?.diagnostic.code == (commits ? 1317 : nil))
        database.interruption.reset()
        try database.execute("INSERT INTO photos (title, IdUser) VALUES ('y', 2)")
        let other = Database(configuration)
        #expect(try other.value("SELECT GROUP_CONCAT(title) FROM photos") == "y")
    }

    @Test("while a lock is held gives it back")
    func holdingALock() throws {
        let name = "interrupted lock"
        let failure = error { () throws(DatabaseError) in
            try database.withLock(name, waitingAtMost: 1) { () throws(DatabaseError) in
                database.interruption.interrupt()
            }
        }
        #expect(failure == nil)
        database.interruption.reset()
        #expect(try database.value("SELECT 1") == "1")
        let other = Database(configuration)
        #expect(try other.withLock(name, waitingAtMost: 5) { () throws(DatabaseError) in 7 } == 7)
    }

    @Test("between statements lets the next one fail, and keeps the connection")
    func between() throws {
        let connection = try database.value("SELECT CONNECTION_ID()")
        database.interruption.interrupt()
        #expect(error(of: { () throws(DatabaseError) in _ = try database.value("SELECT 1") })?.diagnostic.code == 1317)
        database.interruption.reset()
        #expect(try database.value("SELECT CONNECTION_ID()") == connection)
    }

    @Test("ends the patience for a server that is away")
    func outage() throws {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = "/nonexistent"
        configuration.outagePatience = .seconds(600)
        let database = Database(configuration)
        let interruption = database.interruption
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { interruption.interrupt() }
        #expect(error(of: { () throws(DatabaseError) in _ = try database.value("SELECT 1") })?.diagnostic.code == 1317)
        #expect(database.use.failedConnects > 0)
    }
}
