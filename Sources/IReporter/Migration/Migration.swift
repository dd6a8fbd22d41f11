public import MariaDB

/// Applies upgrade files to a database and remembers which, in its table `ireporter_migrations`.
public struct Migration {
    private let database: Database
    private let report: (String) -> Void

    /// Prepares a migration; nothing is read or changed yet.
    ///
    /// - Parameters:
    ///   - database: with the connection's character set that the site has used so far, and with a read timeout that
    ///     leaves time to copy a large table.
    ///   - report: gets each line to show.
    public init(_ database: Database, report: @escaping (String) -> Void) {
        self.database = database
        self.report = report
    }

    /// Shows the state of the tables, what would be applied, and what would stop it, and changes nothing.
    ///
    /// - Throws: `MigrationError`, `.wouldStop` if it is known already that a file could not be applied.
    public func preview(_ files: [UpgradeFile], again: Bool) throws(MigrationError) {
        var obstructed: UpgradeFile?
        try reporting { () throws(DatabaseError) in
            try reportTables()
            let applied = try applied()
            if files.contains(where: { again || applied[$0.number] == nil }) {
                try reportMissingRights()
            }
            for file in files {
                if let date = applied[file.number] {
                    report("\(file.name): applied on \(date)" + (again ? ", would be applied again" : ""))
                } else {
                    report("\(file.name): would be applied")
                }
                if again || applied[file.number] == nil {
                    for line in file.details {
                        report("  \(line)")
                    }
                    if file.makesNamesUnique, try reportNamesOfSeveral() {
                        obstructed = file
                    }
                }
            }
        }
        if let obstructed {
            throw .wouldStop(file: obstructed.name)
        }
    }

    /// Shows the names that several accounts would have once the tables are UTF-8; whether there are any.
    ///
    /// A text that is UTF-8 byte by byte is taken as that, as the file before sees to.
    private func reportNamesOfSeveral() throws(DatabaseError) -> Bool {
        let found = try database.rows(
            """
            SELECT CAST(CONCAT('"', MIN(name), '": users ', GROUP_CONCAT(IdUser ORDER BY IdUser SEPARATOR ', ')) \
            AS BINARY) FROM ( \
            SELECT IdUser, IF(HEX(CONVERT(CAST(username AS BINARY) USING utf8mb4)) = HEX(CAST(username AS BINARY)), \
            CONVERT(CAST(username AS BINARY) USING utf8mb4), CONVERT(username USING utf8mb4)) \
            COLLATE utf8mb4_unicode_520_ci AS name FROM login WHERE username IS NOT NULL) AS accounts \
            GROUP BY name HAVING COUNT(*) > 1 ORDER BY MIN(IdUser) LIMIT 100
            """
        )
        for row in found {
            report("  several accounts of one name: " + printable(String(decoding: row[0] ?? [], as: UTF8.self)))
        }
        return !found.isEmpty
    }

    /// Shows which rights the account lacks, as far as they are its own: a role may have them.
    private func reportMissingRights() throws(DatabaseError) {
        let granted = Set(
            try database.rows(
                """
                SELECT PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES \
                WHERE REPLACE(GRANTEE, '''', '') = CURRENT_USER() \
                UNION SELECT PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES \
                WHERE REPLACE(GRANTEE, '''', '') = CURRENT_USER() AND DATABASE() LIKE TABLE_SCHEMA
                """
            ).map { String(decoding: $0[0] ?? [], as: UTF8.self) }
        )
        let missing = Self.rights.filter { !granted.contains($0) }
        if !missing.isEmpty {
            report("the account lacks \(missing.joined(separator: ", ")), unless a role has it")
        }
    }

    /// What the account needs for all files.
    private static let rights = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "INDEX", "LOCK TABLES",
        "CREATE TEMPORARY TABLES",
    ]

    /// Applies files in their order and records each when all of it was applied.
    ///
    /// - Parameters:
    ///   - again: apply those that are recorded as applied, too.
    ///   - watch: gets the number of the connection before the first file, for whoever wants to watch its progress.
    /// - Throws: `MigrationError`, at the first problem; what was applied before stays recorded.
    public func apply(
        _ files: [UpgradeFile],
        again: Bool,
        watch: (Int64) -> Void = { _ in }
    ) throws(MigrationError) {
        var current: UpgradeFile?
        do throws(DatabaseError) {
            try database.withLock("ireporter.migrate", waitingAtMost: 0) { () throws(DatabaseError) in
                let applied = try applied()
                let pending = files.filter { again || applied[$0.number] == nil }
                if pending.isEmpty {
                    report("nothing to do: everything has been applied")
                    return
                }
                try prepare(watch)
                for file in pending {
                    current = file
                    try apply(file)
                    current = nil
                }
            }
        } catch {
            // Also ends what a file that stopped has locked.
            database.disconnect()
            if let current {
                throw .stopped(file: current.name, error)
            }
            throw error.diagnostic == .lockNotGranted ? .isRunning : Self.problem(error)
        }
    }

    private func apply(_ file: UpgradeFile) throws(DatabaseError) {
        report("\(file.name): \(file.title)")
        let start = ContinuousClock.now
        for statement in file.statements {
            try database.execute(unprepared: statement) { row in
                let columns = row.map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "NULL" }
                report("  " + printable(columns.joined(separator: "  ")))
            }
        }
        let seconds = (ContinuousClock.now - start).components.seconds
        try database.execute(
            "REPLACE INTO ireporter_migrations (number, name, applied, seconds) VALUES (?, ?, NOW(), ?)",
            [.integer(Int64(file.number)), .text(file.name), .integer(seconds)]
        )
        report("\(file.name): applied, \(seconds) s")
    }

    /// Makes the session and the record ready for the first file.
    private func prepare(_ watch: (Int64) -> Void) throws(DatabaseError) {
        watch(try integer("SELECT CONNECTION_ID()"))
        try database.execute(
            unprepared: """
                CREATE TABLE IF NOT EXISTS ireporter_migrations (
                    number  int          NOT NULL,
                    name    varchar(100) NOT NULL,
                    applied datetime     NOT NULL,
                    seconds int          NOT NULL,
                    PRIMARY KEY (number)
                ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
                """
        )
        // What clients sent so far depends on the connection's character set; what is shown here is UTF-8.
        try database.execute(unprepared: "SET @ireporter_charset = @@SESSION.character_set_client")
        try database.execute(unprepared: "SET NAMES utf8mb4")
    }

    /// When each file was applied, by its number.
    private func applied() throws(DatabaseError) -> [Int: String] {
        let tables = try integer(
            """
            SELECT COUNT(*) FROM information_schema.TABLES \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ireporter_migrations'
            """
        )
        guard tables > 0 else {
            return [:]
        }
        var applied: [Int: String] = [:]
        try database.query("SELECT number, applied FROM ireporter_migrations") { row in
            if let number = row.integer(0), let date = row.bytes(1) {
                applied[Int(number)] = String(decoding: date, as: UTF8.self)
            }
        }
        return applied
    }

    private func reportTables() throws(DatabaseError) {
        try database.query(
            """
            SELECT CONCAT(TABLE_NAME, ': ', ENGINE, ', ', SUBSTRING_INDEX(TABLE_COLLATION, '_', 1), ', about ', \
            TABLE_ROWS, ' rows, ', CEILING((DATA_LENGTH + INDEX_LENGTH) / 1048576), ' MiB') \
            FROM information_schema.TABLES \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('login', 'photos', 'users', 'sessions') \
            ORDER BY TABLE_NAME
            """
        ) { row in
            report(printable(String(decoding: row.bytes(0) ?? [], as: UTF8.self)))
        }
    }

    private func integer(_ sql: StaticString) throws(DatabaseError) -> Int64 {
        try database.rows(sql).first?.first?.flatMap { Int64(decimal: $0) } ?? 0
    }

    private func reporting(_ body: () throws(DatabaseError) -> Void) throws(MigrationError) {
        do throws(DatabaseError) {
            try database.requireChoice()
            try body()
        } catch {
            throw Self.problem(error)
        }
    }

    private static func problem(_ error: DatabaseError) -> MigrationError {
        error.diagnostic == .noDatabase ? .noDatabase : .database(error)
    }
}
