import FastCGI
import MariaDB
import TestSupport
import Testing

@testable import IReporter

/// Credentials that are looked up together open what they open by themselves.
@Suite struct GroupLookupTests {
    /// A table, and how its server takes statements.
    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var username = "varchar(45) CHARACTER SET latin1 COLLATE latin1_swedish_ci"
        var key = ""
        var sqlMode: String?

        func connect() throws -> (accounts: Accounts, server: MariaDBServer, name: String) {
            var options = MariaDBServer.Options(characterSet: "utf8mb4")
            options.sqlMode = sqlMode
            let server = try MariaDBServer.shared(options)
            let name = try server.makeDatabase(.legacy)
            let parameters = ScryptParameters("ln=4,r=8,p=1")!
            let hash = ScryptHash(password: Array("hashed".utf8), parameters: parameters)!.encoded
            // The rows of `twice` fill the places of those that were deleted, so that the later one is found first.
            try server.run(
                """
                ALTER TABLE login MODIFY username \(username), MODIFY pass varchar(255) \(key);
                INSERT INTO login (username, pass) VALUES ('gap-1', 'same'), ('bob', 'one'), ('gap-2', 'same'),
                    ('Bob', 'two'), ('BOB ', 'three'), ('anna', NULL), (NULL, 'x'), ('anna', 'b'), ('', 'empty'),
                    ('café', 'sweet'), ('cafe', 'plain'), ('zoë', 'z'), ('zero', '0'), ('blank', ''),
                    ('hash', '\(String(decoding: hash, as: UTF8.self))'), ('back\\\\slash', '%');
                DELETE FROM login WHERE username = 'gap-1';
                DELETE FROM login WHERE username = 'gap-2';
                INSERT INTO login (username, pass) VALUES ('twice', 'same'), ('twice', 'same')
                """,
                database: name
            )
            let accounts = Accounts(
                database: SessionTableFixture.connect(server, name),
                policy: PasswordPolicy(parameters: parameters, storage: .plain),
                tables: TableTraits()
            )
            return (accounts, server, name)
        }
    }

    static let tutorial = Setup(testDescription: "the tutorial's table")
    static let setups = [
        tutorial,
        Setup(testDescription: "an index", key: ", ADD KEY (username)"),
        Setup(testDescription: "an index of some letters", key: ", ADD KEY (username(2))"),
        Setup(testDescription: "utf8mb4_bin", username: "varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"),
        Setup(
            testDescription: "no padding",
            username: "varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_nopad_ci"
        ),
        Setup(testDescription: "bytes", username: "varbinary(45)"),
        Setup(testDescription: "empty strings are NULL", sqlMode: "EMPTY_STRING_IS_NULL"),
        Setup(testDescription: "ANSI", sqlMode: "ANSI,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH"),
    ]

    private static let names = [
        "bob", "BOB", "bob ", " bob", "anna", "", "cafe", "zoe", "zero", "hash", "blank", "twice",
        "back\\slash", "nobody", "%", "x' OR '1'='1", String(repeating: "n", count: 200), "bob\0", "NULL",
    ]
    private static let passwords = [
        "one", "two", "three", "b", "x", "empty", "sweet", "plain", "z", "0", "hashed", "", "same", "%", "ONE", "NULL",
    ]

    /// What opens something, so that not only refusals are compared.
    private static let pairs = [
        ("bob", "one"), ("BOB", "two"), ("bob ", "three"), ("anna", "b"), ("", "empty"), ("cafe", "plain"),
        ("zero", "0"), ("hash", "hashed"), ("twice", "same"), ("back\\slash", "%"), ("cafe", "sweet"), ("zoe", "z"),
    ]

    private static func credentials(_ name: String, _ password: String) -> Credentials {
        Credentials(username: Array(name.utf8), password: Array(password.utf8))
    }

    @Test(arguments: setups)
    func groupOpensWhatEachOneOpensByItself(setup: Setup) throws {
        let (accounts, _, _) = try setup.connect()
        var generator = SeededGenerator(seed: 1)
        var opened = 0
        for _ in 0..<100 {
            let group = (0..<Int.random(in: 1...Accounts.groupLimit, using: &generator)).map { _ in
                let pair = Self.pairs.randomElement(using: &generator)!
                return Bool.random(using: &generator)
                    ? Self.credentials(pair.0, pair.1)
                    : Self.credentials(
                        Self.names.randomElement(using: &generator)!,
                        Self.passwords.randomElement(using: &generator)!
                    )
            }
            for (lookup, credentials) in zip(accounts.lookUp(group, mayTry: anybody), group) {
                let together = try accounts.account(lookup, credentials, mayTry: anybody)
                let alone = try accounts.authenticate(credentials, mayTry: anybody)
                #expect(together.sorted == alone.sorted, "\(credentials)")
                opened += together.account == nil ? 0 : 1
            }
        }
        #expect(opened > 200)
    }

    @Test func accountWithTooManyAttemptsIsNotOpened() throws {
        let (accounts, _, _) = try Self.tutorial.connect()
        let group = [Self.credentials("bob", "one"), Self.credentials("anna", "b")]
        for size in 1...2 {
            let lookups = accounts.lookUp(Array(group.prefix(size))) { _, _ in false }
            #expect(try accounts.account(lookups[0], group[0]) { _ in false } == .throttled)
        }
    }

    @Test func groupTakesOneStatement() throws {
        let (accounts, _, _) = try Self.tutorial.connect()
        func statements() throws -> Int64 {
            var count: Int64 = -1
            try accounts.database.query("SHOW SESSION STATUS LIKE 'Com_stmt_execute'") {
                count = $0.integer(1) ?? -1
            }
            return count
        }
        let group = (0..<Accounts.groupLimit).map { Self.credentials("user\($0)", "x") }
        let before = try statements()
        #expect(accounts.lookUp(group, mayTry: anybody).count == group.count)
        // Asking is one, too.
        #expect(try statements() == before + 2)
    }

    @Test func namesThatMightSpoilTheStatementAreNotLookedUpTogether() {
        for name in ["漢字", "é", "caf\u{e9}", String(repeating: "n", count: 256)] {
            #expect(!Accounts.areLookedUpTogether(Self.credentials(name, "x")))
        }
        #expect(!Accounts.areLookedUpTogether(Self.credentials("bob", String(repeating: "x", count: 256))))
        for name in ["", "bob", "bob\0", String(repeating: "n", count: 255)] {
            #expect(Accounts.areLookedUpTogether(Self.credentials(name, "é")))
        }
    }

    /// A password that the server does not take with a statement of its own breaks that one's connection only.
    @Test func failureOfOneIsNotTheOthers() throws {
        // The group's statement fails: its names do not fit in the column's character set.
        let setup = Setup(testDescription: "", username: "varchar(45) CHARACTER SET swe7")
        let (accounts, server, _) = try setup.connect()
        try server.run("SET GLOBAL max_allowed_packet = 1048576")
        defer { _ = try? server.run("SET GLOBAL max_allowed_packet = 16777216") }
        accounts.database.disconnect()
        let group = [
            Self.credentials("bob", "one"), Self.credentials("zero", String(repeating: "x", count: 1_500_000)),
            Self.credentials("cafe\u{7b}", "x"), Self.credentials("cafe", "plain"),
        ]
        let lookups = accounts.lookUp(group, mayTry: anybody)
        #expect(try accounts.account(lookups[0], group[0], mayTry: anybody).account?.id == 2)
        #expect(throws: DatabaseError.self) { try accounts.account(lookups[1], group[1], mayTry: anybody) }
        #expect(try accounts.account(lookups[3], group[3], mayTry: anybody).account?.id == 11)
    }

    @Test func withoutADatabaseNobodyIsLookedUp() throws {
        let accounts = Accounts(
            database: SessionTableFixture.unreachable,
            policy: PasswordPolicy(parameters: ScryptParameters("ln=4,r=8,p=1")!, storage: .plain),
            tables: TableTraits()
        )
        let group = [Self.credentials("bob", "one"), Self.credentials("anna", "b")]
        for (lookup, credentials) in zip(accounts.lookUp(group, mayTry: anybody), group) {
            #expect(throws: DatabaseError.self) { try accounts.account(lookup, credentials, mayTry: anybody) }
        }
    }
}

/// Lets every password be tried.
private func anybody(_: Int64) -> Bool { true }

private func anybody(_: Int, _: Int64) -> Bool { true }

extension Authentication {
    fileprivate var account: Account? {
        if case .account(let account) = self { account } else { nil }
    }

    /// With the accounts in the order of their numbers.
    fileprivate var sorted: Authentication {
        if case .wrong(let accounts) = self { .wrong(accounts.sorted()) } else { self }
    }
}
