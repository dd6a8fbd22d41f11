internal import MariaDB

/// Whether the table `sessions` can be used as `IREPORTER_SESSION_STORE=database` uses it.
struct SessionTable {
    private let database: Database
    private let name: String

    /// Looks at the table of a database.
    ///
    /// - Parameter name: what the database is called in advice.
    init(_ database: Database, name: String?) {
        self.database = database
        self.name = name ?? "DATABASE"
    }

    /// What is wrong with it; nil if it can be used.
    ///
    /// - Throws: `DatabaseError` if the database does not tell.
    func problem() throws(DatabaseError) -> SessionTableProblem? {
        if let missing = try missingTable() {
            return missing
        }
        if let form = try wrongForm() {
            return form
        }
        return try missingRights()
    }

    /// The table's engine.
    func engine() throws(DatabaseError) -> String {
        let rows = try database.rows(
            """
            SELECT COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sessions'
            """
        )
        return String(decoding: rows.first?.first?.flatMap { $0 } ?? [], as: UTF8.self)
    }

    private var grant: String { "in MariaDB: GRANT SELECT, INSERT, UPDATE, DELETE ON \(name).* TO the account" }

    private func missingTable() throws(DatabaseError) -> SessionTableProblem? {
        do throws(DatabaseError) {
            try database.execute("SELECT id, data, used FROM sessions WHERE 1 = 0")
            return nil
        } catch .refused(let diagnostic) {
            switch diagnostic.code {
            case 1146:
                return SessionTableProblem(
                    problem: "there is no table sessions",
                    cure: "ireporter migrate --only 4, or mariadb \(name) < sql/upgrade/004-sessions.sql"
                )
            case 1054: return anotherTable("it lacks a column")
            case 1142, 1143: return SessionTableProblem(problem: "the account lacks SELECT on sessions", cure: grant)
            default: throw .refused(diagnostic)
            }
        }
    }

    /// Columns and keys: the statements rely on the key, and a session must come back as it was stored.
    private func wrongForm() throws(DatabaseError) -> SessionTableProblem? {
        let columns = try database.rows(
            """
            SELECT COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, \
            IS_NULLABLE = 'NO' AND COLUMN_DEFAULT IS NULL AND EXTRA = '' FROM information_schema.COLUMNS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sessions'
            """
        ).map { row in row.map { String(decoding: $0 ?? [], as: UTF8.self) } }
        for column in columns {
            let (name, type, kind) = (column[0].lowercased(), column[1], column[2])
            let isRight =
                switch name {
                case "id": type == "binary(32)"
                case "data": ["mediumblob", "longblob"].contains(kind)
                case "used": ["int", "bigint"].contains(kind)
                default: column[3] == "0"
                }
            guard isRight else {
                return ["id", "data", "used"].contains(name)
                    ? anotherTable("\(name) is \(type)")
                    : SessionTableProblem(
                        problem: "sessions.\(column[0]) must be filled and has no default, so no session can be added",
                        cure: "ALTER TABLE sessions ALTER \(column[0]) SET DEFAULT …, or let it be NULL"
                    )
            }
        }
        let keys = try database.rows(
            """
            SELECT 1 FROM information_schema.STATISTICS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sessions' AND NON_UNIQUE = 0 GROUP BY INDEX_NAME \
            HAVING COUNT(*) = 1 AND MAX(COLUMN_NAME = 'id' AND SUB_PART IS NULL) = 1
            """
        )
        return keys.isEmpty
            ? SessionTableProblem(
                problem: "the table sessions has no unique key on id alone",
                cure: "ALTER TABLE sessions ADD PRIMARY KEY (id)"
            ) : nil
    }

    private func anotherTable(_ what: String) -> SessionTableProblem {
        SessionTableProblem(
            problem: "the table sessions is not the worker's: \(what)",
            cure: "rename it, then ireporter migrate --only 4, or mariadb \(name) < sql/upgrade/004-sessions.sql"
        )
    }

    /// Tries statements that touch no row but need the right to.
    private func missingRights() throws(DatabaseError) -> SessionTableProblem? {
        let attempts: [(right: String, statement: StaticString)] = [
            (
                "INSERT",
                "INSERT INTO sessions (id, data, used) SELECT '', '', 0 FROM DUAL WHERE 1 = 0 RETURNING used"
            ),
            ("UPDATE", "UPDATE sessions SET used = 0 WHERE 1 = 0"),
            ("DELETE", "DELETE FROM sessions WHERE 1 = 0"),
        ]
        var lacking: [String] = []
        for attempt in attempts {
            do throws(DatabaseError) {
                try database.execute(attempt.statement)
            } catch .refused(let diagnostic) {
                switch diagnostic.code {
                case 1142, 1143: lacking.append("\(attempt.right) on sessions")
                case 1064:
                    return SessionTableProblem(
                        problem: "the server does not know INSERT … RETURNING, which sessions need",
                        cure: "MariaDB 10.5 or later, or IREPORTER_SESSION_STORE=files:DIR"
                    )
                default: throw .refused(diagnostic)
                }
            }
        }
        return lacking.isEmpty
            ? nil
            : SessionTableProblem(problem: "the account lacks \(lacking.joined(separator: ", "))", cure: grant)
    }
}

/// Why sessions cannot be kept in the database.
public struct SessionTableProblem: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in a sentence without its full stop.
    public let problem: String
    /// What to do about it.
    public let cure: String

    /// What is wrong, for the log.
    public var description: String { problem }
}
