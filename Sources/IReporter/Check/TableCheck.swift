internal import MariaDB

/// Whether the two tables have what the worker needs of them.
struct TableCheck {
    /// A column as the server describes it.
    private struct Column {
        let table: String
        let name: String
        let type: String
        let width: Int?
        let characterSet: String
        let isRequired: Bool
        let isCounted: Bool
    }

    /// Whether both tables exist with their columns.
    let areThere: Bool
    /// What was found.
    let findings: [Finding]

    private static let wanted = [
        "login": ["IdUser", "username", "pass"], "photos": ["IdPhoto", "title", "IdUser"],
    ]

    init(_ database: Database, _ settings: Settings) throws(DatabaseError) {
        let columns = try Self.columns(database)
        let missing = Self.missing(columns, settings.database.database ?? "DATABASE")
        areThere = missing.isEmpty
        guard areThere else {
            findings = missing
            return
        }
        var found = try Self.engines(database)
        found += Self.widths(columns, settings)
        found += Self.insertability(columns)
        found += try Self.names(database)
        findings = found
    }

    private static func columns(_ database: Database) throws(DatabaseError) -> [Column] {
        try database.rows(
            """
            SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, CHARACTER_SET_NAME, \
            IS_NULLABLE = 'NO' AND COLUMN_DEFAULT IS NULL AND EXTRA = '', EXTRA LIKE '%auto_increment%' \
            FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('login', 'photos')
            """
        ).map { row in
            let text = row.map { String(decoding: $0 ?? [], as: UTF8.self) }
            return Column(
                table: text[0],
                name: text[1],
                type: text[2],
                width: Int(text[3]),
                characterSet: text[4],
                isRequired: text[5] == "1",
                isCounted: text[6] == "1"
            )
        }
    }

    private static func missing(_ columns: [Column], _ name: String) -> [Finding] {
        wanted.sorted { $0.key < $1.key }.compactMap { table, names in
            let present = columns.filter { $0.table == table }.map { $0.name.lowercased() }
            guard !present.isEmpty else {
                return .problem(
                    "there is no table \(table)",
                    "is \(name) the tutorial's database (IREPORTER_DB_NAME)? For a new one: mariadb \(name) < \(SchemaFile.path)"
                )
            }
            let absent = names.filter { !present.contains($0.lowercased()) }
            return absent.isEmpty
                ? nil
                : .problem(
                    "the table \(table) has no column \(absent.joined(separator: ", "))",
                    "compare it with \(SchemaFile.path), and rename or add the column"
                )
        }
    }

    private static func engines(_ database: Database) throws(DatabaseError) -> [Finding] {
        try database.rows(
            """
            SELECT TABLE_NAME, ENGINE, TABLE_COLLATION, TABLE_COMMENT FROM information_schema.TABLES \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('login', 'photos') ORDER BY TABLE_NAME
            """
        ).map { row in
            let text = row.map { String(decoding: $0 ?? [], as: UTF8.self) }
            let (table, engine, collation, comment) = (text[0], text[1], text[2], text[3])
            switch engine.lowercased() {
            case "innodb":
                return .fine("table \(table): \(engine), \(collation)")
            case "":
                return .problem("table \(table) cannot be used: \(comment)", "in MariaDB: REPAIR TABLE \(table)")
            default:
                return .advice(
                    "table \(table): \(engine), \(collation)",
                    "\(engine) can lose rows in a crash; ireporter migrate, or ALTER TABLE \(table) ENGINE=InnoDB"
                )
            }
        }
    }

    private static func passwordColumn(_ type: String, _ width: Int, _ settings: Settings) -> Finding {
        let hash = Int(PasswordColumn.hashLength)
        // The iPhone client's passwords have up to 40 bytes.
        let needed = settings.storesPlainPasswords ? 40 : hash
        let widen = "ireporter migrate --only 3, or by hand sql/upgrade/003-wide-password.sql"
        if width >= hash {
            return .fine("login.pass: \(type), wide enough")
        }
        if width >= needed {
            return .advice(
                "login.pass is \(type), too narrow for the \(hash) characters of a hash: "
                    + "jsonsignup.php and jsonlogin2.php answer with an error",
                "\(widen), if there are clients of these two"
            )
        }
        return .problem(
            "login.pass is \(type), too narrow for \(needed) characters",
            widen + (settings.storesPlainPasswords ? "" : "; or IREPORTER_PASSWORDS=plain as long as PHP is in use")
        )
    }

    private static func widths(_ columns: [Column], _ settings: Settings) -> [Finding] {
        func column(_ table: String, _ name: String) -> Column? {
            columns.first { $0.table == table && $0.name.lowercased() == name.lowercased() }
        }
        var findings: [Finding] = []
        if let pass = column("login", "pass"), let width = pass.width {
            findings.append(passwordColumn(pass.type, width, settings))
        }
        for (table, name) in [("login", "IdUser"), ("photos", "IdPhoto")] {
            if let id = column(table, name), !id.isCounted {
                findings.append(
                    .problem(
                        "\(table).\(name) does not count by itself",
                        "ALTER TABLE \(table) MODIFY \(name) INT NOT NULL AUTO_INCREMENT"
                    )
                )
            }
        }
        for (table, name, usual) in [("login", "username", 45), ("photos", "title", 100)] {
            if let text = column(table, name), let width = text.width {
                findings.append(
                    width >= usual
                        ? .fine("\(table).\(name): \(text.type), \(text.characterSet)")
                        : .advice("\(table).\(name) is \(text.type)", "the tutorial has \(usual) characters")
                )
            }
        }
        return findings
    }

    /// Columns of somebody else's that a new row would have to fill.
    private static func insertability(_ columns: [Column]) -> [Finding] {
        columns.filter { column in
            column.isRequired
                && !(wanted[column.table] ?? []).contains { $0.lowercased() == column.name.lowercased() }
        }.map { column in
            .problem(
                "\(column.table).\(column.name) must be filled and has no default, so no row can be added",
                "ALTER TABLE \(column.table) ALTER \(column.name) SET DEFAULT …, or let it be NULL"
            )
        }
    }

    private static func names(_ database: Database) throws(DatabaseError) -> [Finding] {
        // Asked as the registrations ask: an index over more columns, or over part of the name, keeps no name unique.
        if try TableTraits().namesAreUnique(database) {
            return [.fine("login.username has a unique index")]
        }
        let isIndexed = try !database.rows(
            """
            SELECT 1 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() \
            AND TABLE_NAME = 'login' AND COLUMN_NAME = 'username' AND SEQ_IN_INDEX = 1 LIMIT 1
            """
        ).isEmpty
        let duplicates =
            try database.rows(
                """
                SELECT COUNT(*) FROM (SELECT username FROM login GROUP BY username HAVING COUNT(*) > 1 LIMIT 1000) AS names
                """
            ).first?.first.flatMap { $0 }.flatMap { Int64(decimal: $0) } ?? 0
        let cure = "ireporter migrate, or ALTER TABLE login ADD UNIQUE (username)"
        if duplicates > 0 {
            return [
                .advice(
                    "login.username has no unique index, and \(duplicates) names exist more than once",
                    "rename the later accounts of these names; then \(cure)"
                )
            ]
        }
        return [
            .advice(
                isIndexed
                    ? "login.username has an index, but none that keeps names unique"
                    : "login.username has no index, so each log-in reads the whole table",
                cure
            )
        ]
    }
}
