import Dispatch
import MariaDB
import TestSupport
import Testing

/// Waits for the database that another thread ends.
@Suite("An interruption", .serialized)
struct InterruptionTests {
    private let server: MariaDBServer
    private let database: Database

    init() throws {
        server = try MariaDBServer.shared()
        database = Database(server.configuration(try server.makeDatabase(.current)))
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
