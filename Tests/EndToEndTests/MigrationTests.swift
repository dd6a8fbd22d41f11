import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// What clients see before and after `ireporter migrate`.
@Suite struct MigrationTests {
    private static let applied = "1\n2\n3\n4\n5"

    /// Names and passwords as clients send them.
    private static func accounts(emoji: Bool) -> [(name: String, password: String)] {
        // Numbers of a linear congruential generator in place of SHA-1: 20 bytes, read as Latin-1, sent as UTF-8.
        var state: UInt32 = 2026
        let iPhone = (0..<12).map { number in
            let units = (0..<20).map { _ -> UInt16 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt16(state >> 24)
            }
            return (name: "iPhone \(number)", password: String(decoding: units, as: UTF16.self))
        }
        return iPhone + [
            ("bob", "secret"), ("Zo\u{eb}", "p\u{e4}ssw\u{f6}rd"), ("\u{e9}\u{e8}\u{fc}", " \u{20ac}%+'\\"),
            ("nul", "a\0b"),
            // 20 bytes in latin1, which look like UTF-8 there.
            ("sha", String(repeating: "a", count: 18) + "\u{c3}\u{a9}"),
        ] + (emoji ? [("sm\u{1f600}le", "\u{1f511}"), ("\u{65e5}\u{672c}", "\u{8a9e}")] : [])
    }

    @Test(arguments: ["latin1", "utf8mb4"])
    func loginsAndTitlesStayTheSame(characterSet: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: characterSet))
        let site = try Site(.legacy, on: server, settings: ["IREPORTER_SCRYPT": "ln=4,r=8,p=1"])
        var client = try site.client()
        let accounts = Self.accounts(emoji: characterSet == "latin1")
        for (name, password) in accounts {
            let reply = try client.post([
                "command": "register", "username": Self.encoded(name), "password": Self.encoded(password),
            ])
            #expect(reply.hasPrefix(#"{"result":"#), "\(name)")
            #expect(try client.upload(Sample.baseline, title: Self.encoded("by \(name)")) == #"{"successful":1}"#)
        }
        // What no client sends any more: several of one name told apart by the password, names and titles that are NULL.
        try site.sql("INSERT INTO login (username, pass) VALUES ('twin', 'one'), ('TWIN ', 'two'), (NULL, NULL)")
        try site.sql("INSERT INTO photos (title, IdUser) VALUES (NULL, 1), ('', 2), ('end ', 3)")

        func seen() throws -> [String] {
            var client = try site.client()
            var replies = [try client.post(["command": "stream"])]
            for (name, password) in accounts + [("Twin", "one"), ("twin", "two"), ("BOB  ", "secret")] {
                for attempt in [password, password + "x"] {
                    replies.append(
                        try client.post([
                            "command": "login", "username": Self.encoded(name), "password": Self.encoded(attempt),
                        ])
                    )
                }
            }
            return replies
        }
        let before = try seen()
        #expect(before.count { $0.contains("error") } == accounts.count + 3)

        #expect(site.worker.terminate() == 0)
        let stopped = try MigrateRun(on: server, site.database)
        #expect(stopped.status == 1)
        try site.sql("UPDATE login SET username = 'twin 2' WHERE pass = 'two'")
        let run = try MigrateRun(on: server, site.database)
        #expect(run.status == 0, "\(run.error)")
        // As clients have it, before the twins can both be of one name again: there is one of each now.
        try site.restartWorker(settings: ["IREPORTER_PASSWORDS": "scrypt", "IREPORTER_DB_CHARSET": "utf8mb4"])
        var renamed = try site.client()
        #expect(
            try renamed.post(["command": "login", "username": "TWIN 2", "password": "two"]).contains(#""twin 2""#)
        )
        let isTwin = { (reply: String) in reply.contains("TWIN") }
        for _ in 1...2 {
            // The second time each password is compared with its hash.
            let after = try seen()
            for (old, new) in zip(before, after) where !isTwin(old) {
                #expect(old == new)
            }
        }
        #expect(
            try site.sql("SELECT COUNT(*) FROM login WHERE pass LIKE '$scrypt$%'") == "\(accounts.count + 2)"
        )
        #expect(try site.sql("SELECT number FROM ireporter_migrations ORDER BY 1") == Self.applied)
    }

    /// What may stand in a legacy column, what clients see of it through a latin1 connection and through one of
    /// utf8mb4, and what they see afterwards.
    private static let plantedTitles = [
        ("C3A9", #"\u00e9"#, #"\u00c3\u00a9"#, #"\u00e9"#),
        ("E9", #"\ufffd"#, #"\u00e9"#, #"\u00e9"#),
        ("63616663E92E", #"cafc\ufffd."#, #"cafc\u00e9."#, #"cafc\u00e9."#),
        ("F09F9880", #"\ud83d\ude00"#, #"\u00f0\u0178\u02dc\u20ac"#, #"\ud83d\ude00"#),
        ("80", #"\ufffd"#, #"\u20ac"#, #"\u20ac"#),
        ("8D", #"\ufffd"#, #"\u008d"#, #"\u008d"#),
        ("C3A9C3", #"\u00e9\ufffd"#, #"\u00c3\u00a9\u00c3"#, #"\u00e9\ufffd"#),
        ("E697A5F09F98", #"\u65e5\ufffd"#, #"\u00e6\u2014\u00a5\u00f0\u0178\u02dc"#, #"\u65e5\ufffd"#),
        ("61C3", #"a\ufffd"#, #"a\u00c3"#, #"a\u00c3"#),
        ("EDA080", #"\ufffd"#, #"\u00ed\u00a0\u20ac"#, #"\u00ed\u00a0\u20ac"#),
        ("C080", #"\ufffd\ufffd"#, #"\u00c0\u20ac"#, #"\u00c0\u20ac"#),
        ("6120", "a ", "a ", "a "),
        ("6100", #"a\u0000"#, #"a\u0000"#, #"a\u0000"#),
    ]

    @Test(arguments: ["latin1", "utf8mb4"])
    func plantedTitles(characterSet: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: characterSet))
        let site = try Site(.legacy, on: server)
        try site.sql("INSERT INTO login (username) VALUES ('b')")
        let rows = Self.plantedTitles.map { "(X'\($0.0)', 1)" }.joined(separator: ",")
        try site.sql("INSERT INTO photos (title, IdUser) VALUES \(rows)")
        func expectTitles(_ expected: [String]) throws {
            var client = try site.client()
            for (index, title) in expected.enumerated() {
                #expect(
                    try client.post(["command": "stream", "IdPhoto": "\(index + 1)"])
                        == #"{"result":[{"IdPhoto":"\#(index + 1)","title":"\#(title)","IdUser":"1","username":"b"}]}"#
                )
            }
        }
        try expectTitles(Self.plantedTitles.map { characterSet == "latin1" ? $0.1 : $0.2 })
        site.worker.terminate()
        #expect(try MigrateRun(on: server, site.database).status == 0)
        try site.restartWorker(settings: ["IREPORTER_DB_CHARSET": "utf8mb4"])
        try expectTitles(Self.plantedTitles.map { $0.3 })
    }

    @Test(arguments: ["latin1", "utf8mb4"])
    func widePasswordAloneKeepsEveryLogin(characterSet: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: characterSet))
        let site = try Site(.legacy, on: server, settings: ["IREPORTER_SCRYPT": "ln=4,r=8,p=1"])
        var client = try site.client()
        let accounts = Self.accounts(emoji: characterSet == "latin1")
        for (name, password) in accounts {
            _ = try client.post([
                "command": "register", "username": Self.encoded(name), "password": Self.encoded(password),
            ])
        }
        site.worker.terminate()
        // Too narrow: the worker names the file that helps.
        #expect(throws: TestFailure.self) { try site.restartWorker(settings: ["IREPORTER_PASSWORDS": "scrypt"]) }
        #expect(try MigrateRun(["--only", "3"], on: server, site.database).status == 0)
        #expect(try site.sql("SELECT number FROM ireporter_migrations") == "3")
        #expect(
            try site.sql(
                """
                SELECT DISTINCT ENGINE, TABLE_COLLATION FROM information_schema.TABLES \
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'ireporter_migrations'
                """
            ) == "MyISAM\tlatin1_swedish_ci"
        )
        try site.restartWorker(settings: ["IREPORTER_PASSWORDS": "scrypt"])
        client = try site.client()
        for _ in 1...2 {
            for (name, password) in accounts {
                let reply = try client.post([
                    "command": "login", "username": Self.encoded(name), "password": Self.encoded(password),
                ])
                #expect(reply.hasPrefix(#"{"result":"#), "\(name)")
            }
        }
        #expect(try site.sql("SELECT COUNT(*) FROM login WHERE pass NOT LIKE '$scrypt$%'") == "0")
    }

    @Test func phpGoesOnOnMigratedTables() throws {
        let php = try ReferenceSite(ReferenceSite.Options(characterSet: "utf8mb4"))
        let url = try php.install("site")
        // Of the iPhone's passwords latin1 has those without U+0080 to U+009F; PHP could not store the others.
        let accounts = Self.accounts(emoji: false).filter { account in
            !account.password.unicodeScalars.contains { (0x80...0x9f).contains($0.value) }
        }
        #expect(accounts.count >= 4)
        func replies(_ command: String) throws -> [String] {
            try accounts.map { name, password in
                var client = SiteClient(url)
                return try client.post([
                    "command": command, "username": Self.encoded(name), "password": Self.encoded(password),
                ])
            }
        }
        let registered = try replies("register")
        #expect(registered.allSatisfy { $0.hasPrefix(#"{"result":"#) }, "\(registered)")
        let run = try MigrateRun(on: php.mariadb, php.database)
        #expect(run.status == 0, "\(run.error)")
        #expect(try replies("login") == registered)
    }

    @Test func workerWarnsOfAConnectionThatDoesNotFitTheMigratedTables() throws {
        let warning = "set IREPORTER_DB_CHARSET=utf8mb4"
        let site = try Site(.legacy, on: Servers.latin1())
        site.worker.terminate()
        #expect(!site.worker.standardError.contains(warning))
        let run = try MigrateRun(on: site.server, site.database)
        #expect(run.output.contains(warning))
        try site.restartWorker()
        #expect(site.worker.standardError.contains(warning))
        site.worker.terminate()
        try site.restartWorker(settings: ["IREPORTER_DB_CHARSET": "utf8mb4"])
        #expect(!site.worker.standardError.contains(warning))
    }

    @Test func usersOfThePairAreImported() throws {
        let server = try Servers.latin1()
        let site = try Site(.legacy, on: server, settings: ["IREPORTER_SCRYPT": "ln=4,r=8,p=1"])
        try site.sql(
            """
            CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(50) UNIQUE, password varchar(100))
                DEFAULT CHARSET latin1;
            INSERT INTO login (username, pass) VALUES ('bob', 'his own');
            INSERT INTO users (username, password) VALUES ('ann', MD5('secret')), ('BOB', MD5('other')),
                (X'5A6FC3AB', UPPER(MD5(X'C3A9'))), (REPEAT('w', 50), MD5('long')), ('', MD5('')), ('odd', 'plain'),
                (X'7A6F65CC88', MD5('later'));
            """
        )
        site.worker.terminate()
        let run = try MigrateRun(on: server, site.database)
        #expect(run.status == 0, "\(run.error)")
        for line in [
            "users: imported 3", #"users: left out 2, "BOB": login has the name already"#,
            #"users: left out 5, "": it has no name"#, #"users: left out 6, "odd": its password is no MD5"#,
            "users: left out 7, \"zoe\u{308}\": an earlier account has the name already",
        ] {
            #expect(run.output.contains("  \(line)\n"), "\(run.output)")
        }
        try site.restartWorker(settings: ["IREPORTER_PASSWORDS": "scrypt", "IREPORTER_DB_CHARSET": "utf8mb4"])
        var client = try site.client()
        let accounts = [
            ("ann", "secret"), ("zo\u{eb}", "\u{e9}"), (String(repeating: "w", count: 50), "long"), ("bob", "his own"),
        ]
        for (name, password) in accounts {
            #expect(
                try client.post(["command": "login", "username": name, "password": password]).hasPrefix(#"{"result":"#),
                "\(name)"
            )
        }
        #expect(try client.post(["command": "login", "username": "bob", "password": "other"]).contains("error"))
        // Again, after their passwords were hashed anew and another signed up.
        let before = try site.sql("SELECT * FROM login")
        try site.sql("INSERT INTO users (username, password) VALUES ('new', MD5('new'))")
        let again = try MigrateRun(["--only", "5"], on: server, site.database)
        #expect(again.status == 0 && again.output.contains("  users: imported 1\n"), "\(again.output)")
        #expect(try site.sql("SELECT * FROM login").hasPrefix(before))
        #expect(try site.sql("SELECT COUNT(*), SUM(password = 'plain') FROM users") == "8\t1")
    }

    private static func encoded(_ text: String) -> String {
        String(decoding: percentEncoded(text.utf8), as: UTF8.self)
    }
}
