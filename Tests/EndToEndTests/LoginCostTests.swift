import FastCGI
import MariaDB
import TestSupport
import Testing

@testable import IReporter

/// A log-in that fails costs one hash, whatever the table has of that name.
@Suite struct LoginCostTests {
    private static let present = ScryptParameters("ln=6,r=8,p=3")!

    /// Rows of the table `login`, and a name that somebody tries.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rows: [String] = []
        var name = Array("bob".utf8)
    }

    private static let hash = String(
        decoding: ScryptHash(password: Array("other".utf8), parameters: present)!.encoded,
        as: UTF8.self
    )

    static let examples = [
        Example(testDescription: "nobody"),
        Example(testDescription: "a name longer than the column", name: Array(repeating: 0x61, count: 1000)),
        Example(testDescription: "a name that the column cannot hold", name: Array("\u{6f22}\u{5b57}\u{1f600}".utf8)),
        Example(testDescription: "bytes that are no text", name: [0xff, 0, 0xfe]),
        Example(testDescription: "a hash", rows: [hash]),
        Example(testDescription: "a plain password", rows: ["other"]),
        Example(testDescription: "an MD5", rows: ["$md5$00000000000000000000000000000000"]),
        Example(testDescription: "an empty password", rows: [""]),
        Example(testDescription: "NULL", rows: ["NULL"]),
        Example(testDescription: "several of one name", rows: ["one", "NULL", "two", hash, "three"]),
    ]

    @Test(arguments: examples, [Schema.legacy, .current])
    func wrongPasswordCostsOneHash(example: Example, schema: Schema) throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(schema)
        try server.run("ALTER TABLE login MODIFY pass varchar(255)", database: name)
        for (number, pass) in example.rows.enumerated() {
            // The tables of today have one row of a name.
            if case .current = schema, number > 0 { continue }
            let value = pass == "NULL" ? pass : "'\(pass)'"
            try server.run("INSERT INTO login (username, pass) VALUES ('bob', \(value))", database: name)
        }
        let counted = Locked<[ScryptParameters]>([])
        let policy = PasswordPolicy(parameters: Self.present, storage: .hashed) { hash in
            counted.withLock { $0.append(hash) }
        }
        let accounts = Self.accounts(server, name, policy)
        let credentials = Credentials(username: example.name, password: Array("secret".utf8))
        let found = try accounts.authenticate(credentials) { _ in true }
        guard case .wrong = found else {
            Issue.record("\(found)")
            return
        }
        #expect(counted.withLock { $0 } == [Self.present])
    }

    @Test func nameThatIsTakenCostsNoHash() throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(.current)
        let counted = Locked(0)
        let policy = PasswordPolicy(parameters: Self.present, storage: .hashed) { _ in
            counted.withLock { $0 += 1 }
        }
        let accounts = Self.accounts(server, name, policy)
        let credentials = Credentials(username: Array("bob".utf8), password: Array("secret".utf8))
        #expect(try accounts.register(credentials).id == 1)
        #expect(counted.withLock { $0 } == 1)
        #expect(throws: RegistrationError.usernameTaken) { try accounts.register(credentials) }
        #expect(counted.withLock { $0 } == 1)
    }

    private static func accounts(_ server: MariaDBServer, _ database: String, _ policy: PasswordPolicy) -> Accounts {
        var configuration = DatabaseConfiguration()
        configuration.socketPath = server.socketPath
        configuration.user = "root"
        configuration.database = database
        return Accounts(database: Database(configuration), policy: policy, tables: TableTraits())
    }
}
