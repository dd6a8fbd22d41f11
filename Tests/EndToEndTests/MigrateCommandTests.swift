import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// `ireporter migrate` as a program: what it shows, records and refuses, and what becomes of it when it is interrupted.
@Suite struct MigrateCommandTests {
    private let server = Result { try Servers.latin1() }

    /// A database of legacy tables with something of everything in them.
    private static func legacy(on server: MariaDBServer) throws -> String {
        let database = try server.makeDatabase(.legacy)
        try server.run(
            """
            INSERT INTO login (username, pass) VALUES ('bob', 'a'), (X'C3A9', X'C3A9'), (X'FC', X'FC'), (NULL, NULL);
            INSERT INTO photos (title, IdUser) VALUES ('t', 1), (X'C3A9C3', 1), (X'E9', 2), (NULL, NULL), (X'C383C2A9', 1);
            """,
            database: database
        )
        return database
    }

    private func recorded(_ database: String) throws -> String {
        try server.get().run("SELECT number FROM ireporter_migrations ORDER BY 1", database: database)
    }

    @Test func dryRunShowsEverythingAndChangesNothing() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        let before = try server.dump(database)
        let run = try MigrateRun(["--dry-run"], on: server, database)
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix("login: MyISAM, latin1, about 4 rows, 1 MiB\nphotos: MyISAM, latin1, about 5 rows")
        )
        for name in UpgradeScripts.names {
            #expect(run.output.contains("\(name): would be applied\n  Does:  "))
        }
        // The program holds what the folder does.
        let folder = Repository.url("sql/upgrade").path
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sql") }.sorted()
                == UpgradeScripts.names
        )
        #expect(try MigrateRun(["--dry-run", "--directory", folder], on: server, database).output == run.output)
        #expect(try server.dump(database) == before)
        #expect(try server.run("SHOW TABLES", database: database) == "login\nphotos\n")
        #expect(try MigrateRun(on: server, database).status == 0)
        let later = try MigrateRun(["--dry-run"], on: server, database)
        #expect(!later.output.contains("would be applied"))
    }

    @Test func dryRunTellsWhichRightsAreMissing() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        try server.run(
            """
            CREATE USER IF NOT EXISTS 'few'@localhost;
            GRANT SELECT, INSERT, UPDATE, DELETE, ALTER, INDEX, DROP ON \(database).* TO 'few'@localhost
            """
        )
        let run = try MigrateRun(["--dry-run"], on: server, database, user: "few")
        #expect(
            run.output.contains(
                "\nthe account lacks CREATE, LOCK TABLES, CREATE TEMPORARY TABLES, unless a role has it\n"
            )
        )
        try server.run("GRANT ALL ON \(database).* TO 'few'@localhost")
        #expect(try !MigrateRun(["--dry-run"], on: server, database, user: "few").output.contains("lacks"))
    }

    @Test func runAgainChangesNothingByCommandOrByHand() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        #expect(try MigrateRun(on: server, database).status == 0)
        // A title that looks as if it were to be repaired, but is what somebody wrote since.
        try server.run("SET NAMES utf8mb4; INSERT INTO photos (title) VALUES (X'C383C2A9')", database: database)
        try server.run("INSERT INTO login (username, pass) VALUES ('raw', X'E9')", database: database)
        let before = try server.dump(database)
        let again = try MigrateRun(on: server, database)
        #expect(again.status == 0)
        #expect(again.output == "nothing to do: everything has been applied\n")
        for (number, name) in UpgradeScripts.names.enumerated() {
            #expect(try MigrateRun(["--only", "\(number + 1)"], on: server, database).status == 0)
            for characterSet in ["latin1", "utf8mb4"] {
                try server.run(
                    "SET @ireporter_charset = '\(characterSet)';\n" + UpgradeScripts.text(name),
                    database: database
                )
            }
            #expect(try server.dump(database) == before, "\(name)")
        }
    }

    @Test func byHandIsTheSameAsByCommand() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        let other = try Self.legacy(on: server)
        #expect(try MigrateRun(on: server, database).status == 0)
        for name in UpgradeScripts.names {
            try server.run(UpgradeScripts.text(name), database: other)
        }
        #expect(try server.dump(database) == server.dump(other))
    }

    @Test func sessionsAreThoseOfNewInstallations() throws {
        let server = try server.get()
        let shape = """
            SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_KEY FROM information_schema.COLUMNS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sessions' ORDER BY ORDINAL_POSITION
            """
        let new = try server.run(shape, database: server.makeDatabase(.current))
        let database = try Self.legacy(on: server)
        #expect(try MigrateRun(["--only", "4"], on: server, database).status == 0)
        #expect(try server.run(shape, database: database) == new)
        #expect(new.contains("id\tbinary(32)\tNO\tPRI\n"))
        // Somebody else's table of that name.
        let taken = try Self.legacy(on: server)
        try server.run("CREATE TABLE sessions (id int)", database: taken)
        let refused = try MigrateRun(["--only", "4"], on: server, taken)
        #expect(refused.status == 1)
        #expect(refused.error.contains("another table of the name sessions"))
    }

    @Test func duplicateNamesAreListedAndStopIt() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        // The last two are one name only since they are UTF-8.
        let original = try Self.legacy(on: server)
        for database in [database, original] {
            try server.run(
                "INSERT INTO login (username) VALUES ('Bob '), ('x'), ('BOB'), (X'5AC389'), (X'7AC3A9')",
                database: database
            )
        }
        let run = try MigrateRun(on: server, database)
        #expect(run.status == 1)
        let preview = try MigrateRun(["--dry-run"], on: server, original)
        #expect(preview.status == 1)
        #expect(preview.output.contains("\n  several accounts of one name: \"bob\": users 1, 5, 7\n"))
        #expect(preview.output.contains("\n  several accounts of one name: \"Z\u{C9}\": users 8, 9\n"))
        #expect(preview.output.ranges(of: "several accounts").count == 2)
        #expect(
            preview.error == """
                ireporter: 002-unique-username.sql would stop at the names that are listed above: rename or delete all \
                but one of each
                  solve that and run it again; what has been applied stays

                """
        )
        #expect(run.output.contains("\": users 1, 5, 7\n"))
        #expect(run.output.contains("\": users 8, 9\n"))
        #expect(run.error.contains("002-unique-username.sql stopped: 2 names have several rows"))
        #expect(try recorded(database) == "1\n")
        try server.run("DELETE FROM login WHERE IdUser IN (5, 7, 8)", database: database)
        #expect(try MigrateRun(on: server, database).status == 0)
        #expect(try recorded(database) == "1\n2\n3\n4\n5\n")
        #expect(throws: TestFailure.self) {
            try server.run("INSERT INTO login (username, pass) VALUES ('BOB', '')", database: database)
        }
    }

    @Test func uniqueIndexThatUTF8WouldViolateStopsItBeforeAnythingIsChanged() throws {
        let server = try server.get()
        let database = try Self.legacy(on: server)
        try server.run(
            "ALTER TABLE login ADD UNIQUE (username); INSERT INTO login (username) VALUES (X'E9'), (X'5AC389'), (X'7AC3A9')",
            database: database
        )
        let before = try server.dump(database)
        let run = try MigrateRun(on: server, database)
        #expect(run.status == 1)
        #expect(run.output.contains("  username of rows 2, 5\n"))
        #expect(run.output.contains("  username of rows 6, 7\n"))
        #expect(try server.dump(database) == before)
    }

    @Test func whatVariantsOfTheTablesHaveBesidesStays() throws {
        let server = try server.get()
        let database = try server.makeDatabase(.empty)
        try server.run(
            """
            SET sql_mode = '';
            CREATE TABLE login (
                IdUser int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
                username char(60) NOT NULL DEFAULT 'no''body' COMMENT 'the \\\\ name',
                pass char(40) NOT NULL DEFAULT '',
                email varchar(100) DEFAULT 'x',
                seen datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
                UNIQUE KEY username (username), KEY email (email)
            ) ENGINE=MyISAM DEFAULT CHARSET=latin1 ROW_FORMAT=FIXED AUTO_INCREMENT=7;
            CREATE TABLE photos (IdPhoto bigint AUTO_INCREMENT PRIMARY KEY, title text, IdUser int, KEY title (title(20)))
                ENGINE=MyISAM DEFAULT CHARSET=latin1;
            INSERT INTO login (username, pass, email) VALUES (X'C3A9', X'C3A9', X'C3A9'), (X'FC', 'b ', X'E9');
            INSERT INTO photos (title) VALUES (X'C3A9'), (REPEAT(X'E9', 65535));
            """,
            database: database
        )
        let run = try MigrateRun(on: server, database)
        #expect(run.status == 0, "\(run.error)")
        let tables = try server.run("SHOW CREATE TABLE login; SHOW CREATE TABLE photos", database: database)
        for column in [
            #"`username` varchar(60) NOT NULL DEFAULT 'no''body' COMMENT 'the "#,
            #"`pass` varbinary(255) NOT NULL DEFAULT ''"#,
            #"`email` varchar(100) CHARACTER SET latin1 COLLATE latin1_swedish_ci DEFAULT 'x'"#,
            #"`seen` datetime NOT NULL DEFAULT '0000-00-00 00:00:00'"#, "UNIQUE KEY `username` (`username`)",
            "AUTO_INCREMENT=9 ", "`title` mediumtext DEFAULT NULL", "KEY `title` (`title`(20))",
        ] {
            #expect(tables.contains(column), "\(column)")
        }
        #expect(
            try server.run("SELECT HEX(username), HEX(pass), HEX(email) FROM login", database: database)
                == "C3A9\tC3A9\tC3A9\nC3BC\t62\tE9\n"
        )
        #expect(try server.run("SELECT LENGTH(title) FROM photos", database: database) == "2\n131070\n")
    }

    @Test func passwordsThatCannotBeToldStopItBeforeAnythingIsChanged() throws {
        let server = try server.get()
        let database = try server.makeDatabase(.empty)
        try server.run(
            """
            CREATE TABLE login (IdUser int AUTO_INCREMENT PRIMARY KEY, username varchar(45), pass varchar(45))
                ENGINE=MyISAM DEFAULT CHARSET=utf8mb3;
            CREATE TABLE photos (IdPhoto int AUTO_INCREMENT PRIMARY KEY, title varchar(100), IdUser int) ENGINE=MyISAM;
            SET NAMES utf8mb4;
            INSERT INTO login (username, pass) VALUES ('b', X'C383C2A9');
            """,
            database: database
        )
        let before = try server.dump(database)
        for arguments in [[], ["--only", "3"]] {
            let run = try MigrateRun(arguments, on: server, database)
            #expect(run.status == 1)
            #expect(run.error.contains("nothing was changed: login.pass is utf8mb3, connections are latin1"))
            #expect(try server.dump(database) == before)
        }
        // Where they are ASCII there is nothing to tell.
        try server.run("UPDATE login SET pass = 'a'", database: database)
        #expect(try MigrateRun(on: server, database).status == 0)
    }

    /// Stops 001 before each step that changes something, as a crash there would, and runs it again.
    @Test(arguments: [
        ("login", "to InnoDB"), ("login", "beyond ASCII"), ("login", "to utf8mb4"),
        ("photos", "to InnoDB"), ("photos", "beyond ASCII"), ("photos", "to utf8mb4"),
    ])
    func interruptedAndRunAgain(table: String, step: String) throws {
        let folder = try Sandbox()
        let name = UpgradeScripts.names[0]
        let lines = try UpgradeScripts.text(name).split(separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(lines.firstIndex { $0.contains("SELECT CONCAT(place.name") && $0.contains(step) })
        let stop = "IF place.name = '\(table)' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'power cut'; END IF;"
        let cut = lines[..<place] + [stop[...]] + lines[place...]
        try folder.write(cut.joined(separator: "\n"), to: name)
        for characterSet in ["latin1", "utf8mb4"] {
            let server = try MariaDBServer.shared(.init(characterSet: characterSet))
            let database = try Self.legacy(on: server)
            let whole = try Self.legacy(on: server)
            let interrupted = try MigrateRun(["--directory", folder.path], on: server, database)
            #expect(interrupted.status == 1)
            #expect(interrupted.error.contains("001-innodb-utf8mb4.sql stopped: power cut"), "\(interrupted.error)")
            #expect(try server.run("SELECT * FROM ireporter_migrations", database: database) == "")
            #expect(try MigrateRun(on: server, database).status == 0)
            #expect(try MigrateRun(on: server, whole).status == 0)
            #expect(try server.dump(database) == server.dump(whole))
        }
    }

    @Test(arguments: [
        (["--nonsense"], "unknown option"), (["--only"], "needs the number"), (["--only", "9"], "no file number 9"),
        (["--directory", "/nowhere"], "cannot be read"), (["--directory", "/tmp/../dev"], "holds no upgrade files"),
    ])
    func wrongCall(arguments: [String], complaint: String) throws {
        let run = try MigrateRun(arguments, on: server.get(), "none")
        #expect(run.status == 2)
        #expect(run.error.contains(complaint), "\(run.error)")
    }

    @Test func databaseThatIsNotThereOrNotNamed() throws {
        let missing = try MigrateRun(on: server.get(), "no_such_database")
        #expect(missing.status == 1)
        #expect(missing.error.contains("Unknown database"))
        #expect(try MigrateRun(on: server.get(), "").status == 1)
        let unset = try WorkerProcess(["migrate"])
        #expect(unset.wait() == 2)
        #expect(unset.standardError.contains("IREPORTER_DB_NAME is not set"))
        let empty = try server.get().makeDatabase(.empty)
        let run = try MigrateRun(on: server.get(), empty)
        #expect(run.status == 1)
        #expect(run.error.contains("login' doesn't exist"), "\(run.error)")
    }
}
