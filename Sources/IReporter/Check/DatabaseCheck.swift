internal import FastCGI
internal import MariaDB

/// Whether the database answers, and lets the worker do what it has to.
struct DatabaseCheck {
    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func findings() -> [Finding] {
        var configuration = settings.database
        configuration.outagePatience = .zero
        let database = Database(configuration)
        do throws(DatabaseError) {
            var findings = try connection(database)
            let tables = try TableCheck(database, settings)
            findings += tables.findings
            // Without the tables everything else would only say the same again.
            if tables.areThere {
                findings += try privileges(database)
                findings += try TextCheck(database).findings()
            }
            return findings
        } catch {
            return [Self.failure(error, settings)]
        }
    }

    private func connection(_ database: Database) throws(DatabaseError) -> [Finding] {
        let row =
            try database.rows(
                "SELECT VERSION(), @@character_set_server, @@character_set_connection, @@max_connections, CURRENT_USER()"
            ).first?.map { String(decoding: $0 ?? [], as: UTF8.self) } ?? []
        guard row.count == 5 else {
            return []
        }
        var findings = [
            Finding.fine("MariaDB \(row[0]) answers, as \(row[4])"),
            .fine("character sets: server \(row[1]), connection \(row[2])"),
        ]
        let threads = settings.server.workers + settings.server.heavyWorkers + 1
        if let limit = Int(row[3]), limit < threads {
            findings.append(
                .problem(
                    "the server takes \(limit) connections, the worker's threads need \(threads)",
                    "raise max_connections, or lower IREPORTER_WORKERS and IREPORTER_HEAVY_WORKERS"
                )
            )
        }
        return findings
    }

    /// Tries statements that touch no row but need the right to.
    private func privileges(_ database: Database) throws(DatabaseError) -> [Finding] {
        let attempts: [(String, StaticString)] = [
            ("SELECT on login", "SELECT IdUser, username, pass FROM login WHERE 1 = 0"),
            ("INSERT on login", "INSERT INTO login (username, pass) SELECT '', '' FROM DUAL WHERE 1 = 0"),
            ("UPDATE on login", "UPDATE login SET pass = '' WHERE 1 = 0"),
            ("DELETE on login", "DELETE FROM login WHERE 1 = 0"),
            ("SELECT on photos", "SELECT IdPhoto, title, IdUser FROM photos WHERE 1 = 0"),
            ("INSERT on photos", "INSERT INTO photos (title, IdUser) SELECT '', 0 FROM DUAL WHERE 1 = 0"),
            ("UPDATE on photos", "UPDATE photos SET IdUser = 0 WHERE 1 = 0"),
            ("DELETE on photos", "DELETE FROM photos WHERE 1 = 0"),
        ]
        var refused: [String] = []
        for (name, statement) in attempts {
            do throws(DatabaseError) {
                try database.execute(statement)
            } catch .refused(let diagnostic) {
                // Others are about the table itself, and found there.
                if [1142, 1143].contains(diagnostic.code) {
                    refused.append(name)
                }
            }
        }
        guard !refused.isEmpty else {
            return [.fine("the account may read and change both tables")]
        }
        return [
            .problem(
                "the account lacks \(refused.joined(separator: ", "))",
                "in MariaDB: GRANT SELECT, INSERT, UPDATE, DELETE ON "
                    + "\(settings.database.database ?? "DATABASE").* TO the account"
            )
        ]
    }

    /// What an error means, and what to do.
    static func failure(_ error: DatabaseError, _ settings: Settings) -> Finding {
        let diagnostic = error.diagnostic
        let name = settings.database.database ?? "DATABASE"
        let cure =
            switch diagnostic.code {
            case 1045, 1698:
                "compare IREPORTER_DB_USER and IREPORTER_DB_PASSWORD (or the option file) with the account in MariaDB; "
                    + "ALTER USER … IDENTIFIED BY … sets its password"
            case 1044: "in MariaDB: GRANT SELECT, INSERT, UPDATE, DELETE ON \(name).* TO the account"
            case 1046: "set IREPORTER_DB_NAME"
            case 1049:
                "set IREPORTER_DB_NAME to the tutorial's database, or create it: "
                    + "CREATE DATABASE \(name), then mariadb \(name) < \(SchemaFile.path)"
            case 1130: "allow the account from this host, or connect over the unix socket"
            // The library has this number for both kinds of socket.
            case 2002 where [nil, "localhost"].contains(settings.database.host):
                "is MariaDB running, and is IREPORTER_DB_SOCKET its socket? "
                    + "(mariadb -e 'SELECT @@socket' tells)"
            case 2002, 2003, 2005:
                "is MariaDB running and reachable, and are IREPORTER_DB_HOST and IREPORTER_DB_PORT right?"
            case 2026: "IREPORTER_DB_TLS_CA must be the authority that signed the server's certificate"
            case 5005: "IREPORTER_DB_OPTION_FILE must name a file that the worker's user can read"
            case 1040, 1203: "raise max_connections in MariaDB, or lower IREPORTER_WORKERS"
            default: "the message is MariaDB's own"
            }
        return .problem("the database does not answer: \(diagnostic)", cure)
    }
}
