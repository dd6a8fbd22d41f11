import Foundation
import MariaDB
import TestSupport

/// The table of sessions of one test, and what others may put there.
final class SessionTableFixture {
    let server: MariaDBServer
    let name: String
    let database: Database

    init() throws {
        server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        name = try server.makeDatabase(.current)
        database = Self.connect(server, name)
    }

    /// A connection of its own.
    static func connect(_ server: MariaDBServer, _ name: String) -> Database {
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

    /// Puts a session into the table, whatever its bytes and time.
    func plant(_ id: String, _ content: [UInt8], used: String = "UNIX_TIMESTAMP()") throws {
        let data = content.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try sql("INSERT INTO sessions VALUES (UNHEX(SHA2('\(id)', 256)), X'\(data)', \(used))")
    }

    /// Puts a session that was used `age` seconds ago into the table.
    func plant(_ id: String, _ content: String, age: Int = 0) throws {
        try plant(id, Array(content.utf8), used: "UNIX_TIMESTAMP() - \(age)")
    }

    /// Executes SQL in the table's database; the result's lines.
    @discardableResult
    func sql(_ statement: String) throws -> String {
        try server.run(statement, database: name).trimmingCharacters(in: .newlines)
    }

    /// Seconds since a session was used, as far as its row tells.
    func age(_ id: String) throws -> Int? {
        Int(try sql("SELECT UNIX_TIMESTAMP() - used FROM sessions WHERE id = UNHEX(SHA2('\(id)', 256))"))
    }

    /// What a session's row holds, as text.
    func content(_ id: String) throws -> String {
        try sql("SELECT data FROM sessions WHERE id = UNHEX(SHA2('\(id)', 256))")
    }

    /// How many rows belong to sessions that have not ended.
    var living: String {
        get throws { try sql("SELECT COUNT(*) FROM sessions WHERE used > 1") }
    }
}
