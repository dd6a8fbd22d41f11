import MariaDB
import TestSupport

extension MariaDBServer {
    /// How to reach this server as `root` through its unix socket.
    func configuration(_ database: String? = nil) -> DatabaseConfiguration {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = socketPath
        configuration.user = "root"
        configuration.database = database
        return configuration
    }

    /// Kills one connection and waits until the server has forgotten it.
    func killConnection(_ identifier: String) throws {
        try run("KILL \(identifier)")
        try waitUntilGone(identifier)
    }

    /// Waits until the server has forgotten a connection.
    func waitUntilGone(_ identifier: String) throws {
        let isGone = waitUntil(within: 30) {
            let count = try? run("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = \(identifier)")
            return count == "0\n"
        }
        if !isGone { throw TestFailure("connection \(identifier) does not end") }
    }

    /// Waits until the server executes a statement that contains `text`.
    func waitUntilExecuting(_ text: String) throws {
        let isRunning = waitUntil(within: 30) {
            let list = try? run("SELECT INFO FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID()")
            return list?.contains(text) ?? false
        }
        if !isRunning { throw TestFailure("nobody executes \(text)") }
    }
}

extension Database {
    /// The first column of the first row, as text.
    func value(_ sql: StaticString, _ parameters: [SQLValue] = []) throws(DatabaseError) -> String? {
        guard let first = try rows(sql, parameters).first?.first, let bytes = first else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All rows as text.
    func texts(_ sql: StaticString, _ parameters: [SQLValue] = []) throws(DatabaseError) -> [[String?]] {
        try rows(sql, parameters).map { row in
            row.map { value in value.map { String(decoding: $0, as: UTF8.self) } }
        }
    }
}

/// The error of a statement, or `nil` if it succeeded.
func error(of body: () throws(DatabaseError) -> Void) -> DatabaseError? {
    do throws(DatabaseError) {
        try body()
        return nil
    } catch {
        return error
    }
}
