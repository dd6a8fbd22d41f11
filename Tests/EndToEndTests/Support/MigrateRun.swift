import Foundation
import TestSupport

/// One run of `ireporter migrate` to its end.
struct MigrateRun {
    let status: Int32
    let output: String
    let error: String

    /// Runs it on a database.
    init(
        _ arguments: [String] = [],
        on server: MariaDBServer,
        _ database: String,
        user: String = "root"
    ) throws {
        let process = try Self.start(arguments, on: server, database, user: user)
        status = process.wait()
        output = process.standardOutput
        error = process.standardError
    }

    /// Starts it.
    static func start(
        _ arguments: [String] = [],
        on server: MariaDBServer,
        _ database: String,
        user: String = "root"
    ) throws -> WorkerProcess {
        try WorkerProcess(
            ["migrate"] + arguments,
            environment: [
                "IREPORTER_DB_SOCKET": server.socketPath, "IREPORTER_DB_USER": user, "IREPORTER_DB_NAME": database,
            ]
        )
    }

    /// Runs it until no other is going on, as after one was killed, whose last statement the server still executes.
    static func afterOthers(on server: MariaDBServer, _ database: String) throws -> MigrateRun {
        var run = try MigrateRun(on: server, database)
        for _ in 0..<600 where run.error.contains("another migration") {
            Thread.sleep(forTimeInterval: 0.1)
            run = try MigrateRun(on: server, database)
        }
        return run
    }
}

/// The files of `sql/upgrade`.
enum UpgradeScripts {
    static let names = [
        "001-innodb-utf8mb4.sql", "002-unique-username.sql", "003-wide-password.sql", "004-sessions.sql",
        "005-import-users.sql",
    ]

    static func text(_ name: String) throws -> String {
        try String(contentsOf: Repository.url("sql/upgrade/\(name)"), encoding: .utf8)
    }
}

extension MariaDBServer {
    /// Everything about the tables that a migration may change: their definitions and rows, byte for byte.
    func dump(_ database: String) throws -> String {
        try ["login", "photos"].map { table in
            try run("SHOW CREATE TABLE \(table); SELECT * FROM \(table) ORDER BY 1", database: database)
        }.joined()
    }
}
