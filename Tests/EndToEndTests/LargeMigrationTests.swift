import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Many rows of every encoding: each title and name is the same afterwards, and an interruption at any moment does no harm.
///
/// `IREPORTER_TEST_ROWS=1000000` makes it a million photos; the default is what takes seconds.
@Suite(.serialized) struct LargeMigrationTests {
    private static let rows = ProcessInfo.processInfo.environment["IREPORTER_TEST_ROWS"].flatMap { Int($0) } ?? 50_000

    /// Names and titles as clients may have sent them: through latin1 all of UTF-8, through utf8mb4 what latin1 has.
    private static func fill(_ server: MariaDBServer, _ database: String) throws {
        let throughLatin1 = server.options.characterSet == "latin1"
        let mixed = throughLatin1 ? ["C3A9", "F09F9880", "E697A5E69CAC", "C2A0"] : ["E9", "FF", "80", "A0"]
        let text = mixed.enumerated().map { "WHEN \($0.offset) THEN X'\($0.element)'" }.joined(separator: " ")
        try server.run(
            """
            INSERT INTO login (username, pass)
                SELECT CONCAT('user ', seq, ' ', CASE seq % 7 \(text) ELSE '' END), UNHEX(SHA1(seq))
                FROM seq_1_to_\(rows / 5);
            INSERT INTO photos (title, IdUser)
                SELECT CONCAT(REPEAT(CASE seq % 7 \(text) ELSE 'x' END, seq % 15), ' photo ', seq), 1 + seq % 1000
                FROM seq_1_to_\(rows);
            """,
            database: database
        )
    }

    /// All names and titles in UTF-8, as clients see them through the server's default character set before, and through
    /// utf8mb4 afterwards; or their number of rows and checksum, where they are too many to hold.
    private static func seen(_ server: MariaDBServer, _ database: String, isMigrated: Bool) throws -> String {
        let column = { (name: String) in
            isMigrated || server.options.characterSet == "latin1"
                ? "CAST(\(name) AS BINARY)" : "CAST(CONVERT(\(name) USING utf8mb4) AS BINARY)"
        }
        return try server.run(
            """
            SELECT COUNT(*), SUM(CRC32(CONCAT(IdPhoto, ':', IdUser, ':', \(column("title"))))) FROM photos;
            SELECT COUNT(*), SUM(CRC32(CONCAT(IdUser, ':', \(column("username"))))) FROM login;
            SELECT IdPhoto, \(column("title")) FROM photos WHERE IdPhoto <= 1000 ORDER BY IdPhoto;
            SELECT IdUser, \(column("username")) FROM login WHERE IdUser <= 1000 ORDER BY IdUser;
            """,
            database: database
        )
    }

    @Test(arguments: ["latin1", "utf8mb4"])
    func everyTitleAndNameIsTheSame(characterSet: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: characterSet))
        let database = try server.makeDatabase(.legacy)
        try Self.fill(server, database)
        let before = try Self.seen(server, database, isMigrated: false)
        let passwords = try server.run("SELECT SUM(CRC32(CAST(pass AS BINARY))) FROM login", database: database)
        let run = try MigrateRun(on: server, database)
        #expect(run.status == 0, "\(run.error)")
        #expect(try Self.seen(server, database, isMigrated: true) == before)
        let now = try server.run(
            characterSet == "latin1"
                ? "SELECT SUM(CRC32(pass)) FROM login"
                : "SELECT SUM(CRC32(COALESCE(CAST(CONVERT(CONVERT(pass USING utf8mb4) USING latin1) AS BINARY), ''))) FROM login",
            database: database
        )
        #expect(now == passwords)
    }

    /// `ireporter migrate` is killed, or the server is, some moment after it has begun with the table `photos`.
    @Test(arguments: [false, true], [0, 60, 300])
    func killedAndRunAgain(isServerKilled: Bool, milliseconds: Int) throws {
        let server = try isServerKilled ? MariaDBServer() : MariaDBServer.shared()
        let database = try server.makeDatabase(.legacy)
        try Self.fill(server, database)
        let before = try Self.seen(server, database, isMigrated: false)
        try server.run("FLUSH TABLES")
        let killed = try MigrateRun.start(on: server, database)
        #expect(waitUntil(within: 120) { killed.standardOutput.contains("photos: to InnoDB") || !killed.isRunning })
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        if isServerKilled {
            server.kill()
            #expect(killed.wait() == 1 || killed.standardOutput.contains("005-import-users.sql: applied"))
            try server.start()
        } else {
            killed.kill()
        }
        let run = try MigrateRun.afterOthers(on: server, database)
        #expect(run.status == 0, "\(run.error)")
        #expect(try Self.seen(server, database, isMigrated: true) == before)
        #expect(
            try server.run("SELECT COUNT(*) FROM ireporter_migrations", database: database) == "5\n"
        )
    }
}
