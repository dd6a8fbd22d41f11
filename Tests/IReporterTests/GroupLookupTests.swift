import FastCGI
import MariaDB
import TestSupport
import Testing

@testable import IReporter

/// Credentials that are looked up together open what they open by themselves.
@Suite struct GroupLookupTests {
    private let server: MariaDBServer
    private let database: Database
    private let accounts: Accounts

    init() throws {
        server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(.legacy)
        let hash = ScryptHash(password: Array("hashed".utf8), parameters: ScryptParameters("ln=4,r=8,p=1")!)!.encoded
        // Only what has no index on names takes all of these.
        try server.run(
            """
            ALTER TABLE login MODIFY username varchar(45) COLLATE latin1_swedish_ci, MODIFY pass varchar(255);
            INSERT INTO login (username, pass) VALUES ('bob', 'one'), ('Bob', 'two'), ('BOB ', 'three'), ('anna', NULL),
                (NULL, 'x'), ('anna', 'b'), ('', 'empty'), ('café', 'sweet'), ('cafe', 'plain'), ('zoë', 'z'),
                ('zero', '0'), ('hash', '\(String(decoding: hash, as: UTF8.self))'), ('blank', ''), ('twice', 'same'),
                ('twice', 'same'), ('back\\\\slash', '%')
            """,
            database: name
        )
        database = SessionTableFixture.connect(server, name)
        let policy = PasswordPolicy(parameters: ScryptParameters("ln=4,r=8,p=1")!, storage: .plain)
        accounts = Accounts(database: database, policy: policy, tables: TableTraits())
    }

    private static let names = [
        "bob", "BOB", "bob ", " bob", "anna", "", "cafe", "café", "zoe", "zoë", "zero", "hash", "blank", "twice",
        "back\\slash", "nobody", "漢字", "%", "x' OR '1'='1", String(repeating: "n", count: 300), "bob\0", "NULL",
    ]
    private static let passwords = [
        "one", "two", "three", "b", "x", "empty", "sweet", "plain", "z", "0", "hashed", "", "same", "%", "ONE", "NULL",
    ]

    /// What opens something, so that not only refusals are compared.
    private static let pairs = [
        ("bob", "one"), ("BOB", "two"), ("bob ", "three"), ("anna", "b"), ("", "empty"), ("cafe", "plain"),
        ("zero", "0"), ("hash", "hashed"), ("twice", "same"), ("back\\slash", "%"), ("café", "sweet"), ("zoë", "z"),
    ]

    @Test(arguments: [UInt64(1), 2, 3])
    func groupOpensWhatEachOneOpensByItself(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var opened = 0
        for _ in 0..<60 {
            let group = (0..<Int.random(in: 1...Accounts.groupLimit, using: &generator)).map { _ in
                let pair = Self.pairs.randomElement(using: &generator)!
                return Bool.random(using: &generator)
                    ? credentials(pair.0, pair.1)
                    : credentials(
                        Self.names.randomElement(using: &generator)!,
                        Self.passwords.randomElement(using: &generator)!
                    )
            }
            let lookups = try accounts.lookUp(group)
            for (lookup, credentials) in zip(lookups, group) {
                let account = accounts.account(lookup, credentials)
                #expect(try account == accounts.authenticate(credentials), "\(credentials)")
                opened += account == nil ? 0 : 1
            }
        }
        #expect(opened > 150)
    }

    private func credentials(_ name: String, _ password: String) -> Credentials {
        Credentials(username: Array(name.utf8), password: Array(password.utf8))
    }

    private func statements() throws -> Int64 {
        var count: Int64 = -1
        try database.query("SHOW SESSION STATUS LIKE 'Com_stmt_execute'") { count = $0.integer(1) ?? -1 }
        return count
    }

    @Test func groupTakesOneStatement() throws {
        let group = (0..<Accounts.groupLimit).map { credentials("user\($0)", "x") }
        let before = try statements()
        #expect(try accounts.lookUp(group).count == group.count)
        // Asking is one, too.
        #expect(try statements() == before + 2)
    }

    @Test func nameThatTheColumnLacksSpoilsNothing() throws {
        let group = [credentials("bob", "two"), credentials("漢字", "x"), credentials("cafe", "plain")]
        let accounts = try zip(accounts.lookUp(group), group).map { self.accounts.account($0, $1)?.id }
        #expect(accounts == [2, nil, 9])
    }

    @Test func failureIsEveryones() throws {
        let accounts = Accounts(
            database: SessionTableFixture.unreachable,
            policy: accounts.policy,
            tables: TableTraits()
        )
        #expect(throws: DatabaseError.self) {
            try accounts.lookUp([credentials("bob", "one"), credentials("anna", "b")])
        }
    }
}
