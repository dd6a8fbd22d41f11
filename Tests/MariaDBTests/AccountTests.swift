import Foundation
import MariaDB
import TestSupport
import Testing

@Suite("Accounts and option files")
struct AccountTests {
    private static let password = "s3cret \"#'; pässword"

    let server: MariaDBServer
    let sandbox: Sandbox
    /// As an account with a password, without naming it.
    var configuration: DatabaseConfiguration

    init() throws {
        server = try MariaDBServer.shared()
        sandbox = try Sandbox()
        let quoted = Self.password.replacing("'", with: "''")
        try server.run("CREATE USER IF NOT EXISTS reader@localhost IDENTIFIED BY '\(quoted)'")
        configuration = DatabaseConfiguration()
        configuration.socketPath = server.socketPath
    }

    private func user(_ configuration: DatabaseConfiguration) throws(DatabaseError) -> String? {
        try Database(configuration).value("SELECT CURRENT_USER()")
    }

    @Test("a password opens its account")
    mutating func password() throws {
        configuration.user = "reader"
        configuration.password = Self.password
        #expect(try user(configuration) == "reader@localhost")
    }

    @Test("a wrong or missing password is an error that does not repeat it", arguments: ["wr0ng secret", "", nil])
    mutating func wrongPassword(password: String?) throws {
        configuration.user = "reader"
        configuration.password = password
        let failure = error { () throws(DatabaseError) in _ = try user(configuration) }
        guard case .unavailable(let diagnostic) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(diagnostic.code == 1045)
        #expect(!String(reflecting: failure).contains("wr0ng"))
    }

    @Test("neither a configuration nor a database shows the password when printed")
    mutating func printing() throws {
        configuration.user = "reader"
        configuration.password = Self.password
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(Database(configuration), to: &dumped)
        for text in [
            dumped, "\(configuration)", String(reflecting: configuration), String(describing: Database(configuration)),
        ] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test("an account of the operating system needs no password")
    func operatingSystemAccount() throws {
        // Its own server, since it may be root whose password goes.
        let server = try MariaDBServer()
        try server.run("CREATE OR REPLACE USER '\(NSUserName())'@localhost IDENTIFIED VIA unix_socket")
        var configuration = server.configuration()
        configuration.user = NSUserName()
        #expect(try user(configuration) == "\(NSUserName())@localhost")
    }

    @Test("an unknown database is an error")
    mutating func unknownDatabase() throws {
        configuration.user = "root"
        configuration.database = "nowhere"
        let failure = error { () throws(DatabaseError) in _ = try user(configuration) }
        #expect(failure?.diagnostic.code == 1049)
    }

    @Test("an option file supplies what is not configured, in its usual groups and one more")
    mutating func optionFile() throws {
        configuration.socketPath = nil
        configuration.optionFile = try sandbox.write(
            """
            # What a Debian administrator writes.
            [mysqld]
            user = nobody
            [client]
            socket = \(server.socketPath)
            user = root
            default-character-set = koi8r
            reconnect = 1
            [ireporter]
            user = reader
            password = "s3cret \\"#\\'; pässword"
            """,
            to: "my.cnf"
        )
        #expect(try user(configuration) == "root@localhost")
        configuration.optionGroup = "ireporter"
        #expect(try user(configuration) == "reader@localhost")
        // Its character set is for interactive clients; ours is the server's or the configured one.
        #expect(try Database(configuration).value("SELECT @@character_set_client") == "latin1")
        configuration.user = "root"
        configuration.password = ""
        #expect(try user(configuration) == "root@localhost")
    }

    @Test("an option file that cannot be read is an error, not a login as nobody")
    mutating func missingOptionFile() throws {
        configuration.user = "root"
        configuration.optionFile = sandbox.path("missing.cnf")
        let failure = error { () throws(DatabaseError) in _ = try user(configuration) }
        guard case .unavailable(let diagnostic) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(diagnostic.message == "The option file \(sandbox.path("missing.cnf")) cannot be read")
    }
}
