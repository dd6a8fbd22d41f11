import Foundation
import MariaDB
import TestSupport
import Testing

/// A server that restarts, dies, hangs or hangs up; each test has the server for itself.
@Suite("A server that goes away", .serialized)
struct OutageTests {
    /// The suite's own, since its tests stop it.
    private static let server = Result {
        var options = MariaDBServer.Options()
        options.listensOnTCP = true
        return try MariaDBServer(options)
    }

    let server: MariaDBServer
    let configuration: DatabaseConfiguration

    init() throws {
        server = try Self.server.get()
        if !server.isRunning { try server.start() }
        var configuration = server.configuration(try server.makeDatabase(.current))
        configuration.readTimeout = 60
        self.configuration = configuration
    }

    private func insert(_ title: String, _ database: Database) throws(DatabaseError) {
        try database.execute("INSERT INTO photos (title, IdUser) VALUES (?, 1)", [.text(title)])
    }

    private func count(_ database: Database) throws(DatabaseError) -> String? {
        try database.value("SELECT COUNT(*) FROM photos")
    }

    @Test("a short absence is waited out by queries and changes")
    func absence() throws {
        let database = Database(configuration)
        try insert("before", database)
        server.kill()
        let server = server
        let starting = Thread.start { try server.start() }
        // Begun while nobody listens.
        try insert("after", database)
        try starting.result()
        #expect(try count(database) == "2")
    }

    @Test("a long absence is an error at once, and over as soon as the server is back")
    func longAbsence() throws {
        var configuration = configuration
        configuration.outagePatience = .zero
        let database = Database(configuration)
        try insert("before", database)
        server.kill()
        for _ in 0..<3 {
            for failure in [
                error(of: { () throws(DatabaseError) in _ = try count(database) }),
                error(of: { () throws(DatabaseError) in try insert("meanwhile", database) }),
                error(of: { () throws(DatabaseError) in try database.transaction { .commit(()) } }),
            ] {
                guard case .unavailable(let diagnostic) = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
                #expect(diagnostic.code == 2002)
            }
        }
        try server.start()
        #expect(try count(database) == "1")
    }

    @Test("a server that is down at the start is found later")
    func downAtStart() throws {
        server.stop()
        var configuration = configuration
        configuration.outagePatience = .zero
        let database = Database(configuration)
        guard case .unavailable = error(of: { () throws(DatabaseError) in _ = try count(database) }) else {
            Issue.record("nobody is there")
            return
        }
        try server.start()
        #expect(try count(database) == "0")
    }

    @Test("a server killed in the middle of a query: it is repeated on the next one")
    func killedDuringQuery() throws {
        let (server, configuration) = (server, configuration)
        let query = Thread.start { try Database(configuration).value("SELECT 'done', SLEEP(2)") }
        try server.waitUntilExecuting("'done'")
        server.kill()
        try server.start()
        #expect(try query.result() == "done")
    }

    @Test("a server killed in the middle of a change: it is reported as lost, and the next one works")
    func killedDuringChange() throws {
        let (server, configuration) = (server, configuration)
        let change = Thread.start {
            let database = Database(configuration)
            let failure = error { () throws(DatabaseError) in
                try database.execute("INSERT INTO photos (title, IdUser) VALUES ('slow', SLEEP(600))")
            }
            try database.execute("INSERT INTO photos (title, IdUser) VALUES ('next', 1)")
            return failure
        }
        try server.waitUntilExecuting("'slow'")
        server.kill()
        try server.start()
        guard case .lost = try change.result() else {
            Issue.record("its fate is not known")
            return
        }
        #expect(try Database(configuration).texts("SELECT title FROM photos") == [["next"]])
    }

    @Test("a server that does not answer is given up after the read timeout")
    func silence() throws {
        var configuration = configuration
        configuration.readTimeout = 1
        let database = Database(configuration)
        let failure = error { () throws(DatabaseError) in
            try database.execute("INSERT INTO photos (title, IdUser) VALUES ('slow', SLEEP(600))")
        }
        guard case .lost = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try count(database) == "0")
    }

    @Test("a server that accepts but never greets is given up after the connect timeout")
    func silentHandshake() throws {
        var configuration = configuration
        configuration.connectTimeout = 1
        configuration.outagePatience = .zero
        let database = Database(configuration)
        server.suspend(true)
        defer { server.suspend(false) }
        guard case .unavailable = error(of: { () throws(DatabaseError) in _ = try count(database) }) else {
            Issue.record("it cannot have answered")
            return
        }
    }

    /// What a connection runs over, and what comes first after it was ended: they differ in what the system reports.
    struct Situation: Sendable, CustomTestStringConvertible {
        let usesTCP: Bool
        let changes: Bool

        var testDescription: String { "\(changes ? "a change" : "a query") over \(usesTCP ? "TCP" : "a unix socket")" }

        static let all = [false, true].flatMap { usesTCP in
            [false, true].map { changes in Self(usesTCP: usesTCP, changes: changes) }
        }
    }

    private func database(_ situation: Situation) -> Database {
        var configuration = configuration
        if situation.usesTCP {
            configuration.host = "127.0.0.1"
            configuration.port = server.port
        }
        return Database(configuration)
    }

    @Test("a killed connection is replaced", arguments: Situation.all)
    func killedConnection(situation: Situation) throws {
        let database = database(situation)
        try insert("before", database)
        let identifier = try #require(try database.value("SELECT CONNECTION_ID()"))
        try server.killConnection(identifier)
        if situation.changes { try insert("after", database) }
        #expect(try count(database) == (situation.changes ? "2" : "1"))
        #expect(try database.value("SELECT CONNECTION_ID()") != identifier)
    }

    @Test("a connection the server closed for being idle is replaced", arguments: Situation.all)
    func idleConnection(situation: Situation) throws {
        let database = database(situation)
        try insert("before", database)
        let identifier = try #require(try database.value("SELECT CONNECTION_ID()"))
        try database.execute("SET SESSION wait_timeout = 1")
        try server.waitUntilGone(identifier)
        if situation.changes { try insert("after", database) }
        #expect(try count(database) == (situation.changes ? "2" : "1"))
    }

    @Test("a connection to a server that was restarted meanwhile is replaced", arguments: Situation.all)
    func restartWhileIdle(situation: Situation) throws {
        let database = database(situation)
        try insert("before", database)
        try server.restart()
        if situation.changes { try insert("after", database) }
        #expect(try count(database) == (situation.changes ? "2" : "1"))
        server.kill()
        try server.start()
        if situation.changes { try insert("again", database) }
        #expect(try count(database) == (situation.changes ? "3" : "1"))
    }

    @Test("restarts under load: no query fails, and every change that was acknowledged is there once")
    func load() throws {
        var configuration = configuration
        configuration.outagePatience = .seconds(60)
        let (constant, isOver) = (configuration, Flag())
        let readers = (0..<2).map { _ in
            Thread.start {
                let database = Database(constant)
                var failures: [DatabaseError] = []
                while !isOver.isSet {
                    let failure = error { () throws(DatabaseError) in
                        _ = try database.value("SELECT MAX(IdPhoto) FROM photos")
                    }
                    if let failure { failures.append(failure) }
                }
                return failures
            }
        }
        let writers = (0..<2).map { writer in
            Thread.start {
                let database = Database(constant)
                var (acknowledged, lost) = ([String](), [String]())
                var others: [DatabaseError] = []
                var number = 0
                while !isOver.isSet {
                    number += 1
                    let title = "\(writer)-\(number)"
                    let failure = error { () throws(DatabaseError) in
                        try database.execute("INSERT INTO photos (title, IdUser) VALUES (?, 1)", [.text(title)])
                    }
                    switch failure {
                    case nil: acknowledged.append(title)
                    case .lost: lost.append(title)
                    case .some(let failure): others.append(failure)
                    }
                }
                return (acknowledged: acknowledged, lost: lost, others: others)
            }
        }
        for _ in 0..<2 {
            server.kill()
            try server.start()
            usleep(200_000)
            try server.restart()
            usleep(200_000)
        }
        isOver.set()
        for reader in readers { #expect(try reader.result() == []) }
        let results = try writers.map { try $0.result() }
        let stored = try Database(constant).texts("SELECT title FROM photos").compactMap { $0[0] }
        #expect(Set(stored).count == stored.count)
        for result in results {
            #expect(result.others == [])
            #expect(Set(result.acknowledged).subtracting(stored).isEmpty)
            // At most one statement was on its way at each of the four ends.
            #expect(result.lost.count <= 4)
            #expect(!result.acknowledged.isEmpty)
        }
        #expect(Set(stored).isSubset(of: results.flatMap { $0.acknowledged + $0.lost }))
    }

    @Test("a killed statement is refused, and its connection goes on")
    func killedStatement() throws {
        let (server, configuration) = (server, configuration)
        let change = Thread.start {
            let database = Database(configuration)
            let identifier = try database.value("SELECT CONNECTION_ID()")
            let failure = error { () throws(DatabaseError) in
                try database.execute("INSERT INTO photos (title, IdUser) VALUES ('interrupted', SLEEP(600))")
            }
            #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
            return failure
        }
        try server.waitUntilExecuting("'interrupted'")
        let identifier = try server.run(
            "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%interrupted%' AND ID <> CONNECTION_ID()"
        )
        try server.run("KILL QUERY \(identifier)")
        // 1317 is what MariaDB says of it.
        guard case .refused(let diagnostic)? = try change.result() else {
            Issue.record("the statement was interrupted")
            return
        }
        #expect(diagnostic.code == 1317)
    }

    @Test("no connection left is an outage, too")
    func tooManyConnections() throws {
        var configuration = configuration
        configuration.outagePatience = .zero
        try server.run("SET GLOBAL max_connections = 10")
        defer { _ = try? server.run("SET GLOBAL max_connections = 151") }
        var others: [Database] = []
        var failure: DatabaseError?
        while failure == nil, others.count < 20 {
            let other = Database(configuration)
            failure = error { () throws(DatabaseError) in _ = try other.value("SELECT 1") }
            others.append(other)
        }
        guard case .unavailable(let diagnostic) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(diagnostic.code == 1040)
        for other in others { other.disconnect() }
        #expect(waitUntil(within: 10) { (try? Database(configuration).value("SELECT 1")) == "1" })
    }
}
