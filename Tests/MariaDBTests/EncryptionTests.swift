import MariaDB
import TestSupport
import Testing

/// TLS over 127.0.0.1 with certificates made for the occasion.
@Suite("Encryption")
struct EncryptionTests {
    /// A server whose certificate is for 127.0.0.1 and signed by an authority of our own.
    private static let fixture = Result {
        let certificates = try Certificates()
        var options = MariaDBServer.Options()
        options.listensOnTCP = true
        options.more = [
            "--ssl-cert=\(certificates.certificate)", "--ssl-key=\(certificates.key)",
            "--ssl-ca=\(certificates.authority)", "--bind-address=127.0.0.1,127.0.0.2",
        ]
        let server = try MariaDBServer(options)
        try server.run("CREATE USER app@'%' IDENTIFIED BY 'secret' REQUIRE SSL")
        return (server: server, certificates: certificates)
    }

    private let server: MariaDBServer
    private let certificates: Certificates
    private var configuration = DatabaseConfiguration()

    init() throws {
        (server, certificates) = try Self.fixture.get()
        configuration.host = "127.0.0.1"
        configuration.port = server.port
        configuration.user = "app"
        configuration.password = "secret"
    }

    private func cipher(_ configuration: DatabaseConfiguration) throws(DatabaseError) -> String? {
        let database = Database(configuration)
        let first = try database.texts("SHOW SESSION STATUS LIKE 'Ssl_cipher'").first?.last
        // A second change must not take what TLS sends on its own for the server's farewell.
        let identifier = try database.value("SELECT CONNECTION_ID()")
        try database.execute("DO 1")
        #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
        return first ?? nil
    }

    private func refusal(_ configuration: DatabaseConfiguration) -> UInt32? {
        let failure = error { () throws(DatabaseError) in _ = try cipher(configuration) }
        guard case .unavailable(let diagnostic) = failure else { return nil }
        return diagnostic.code
    }

    @Test("a server whose certificate leads to the authority and names the host is talked to")
    mutating func verified() throws {
        configuration.encryption = .verified(authorityFile: certificates.authority)
        #expect(try cipher(configuration)?.isEmpty == false)
    }

    // 2026 is the client library's number for anything about TLS.
    @Test("a certificate of another authority is refused, as is an authority that cannot be read")
    mutating func wrongAuthority() throws {
        configuration.encryption = .verified(authorityFile: certificates.otherAuthority)
        #expect(refusal(configuration) == 2026)
        configuration.encryption = .verified(authorityFile: "/nowhere.pem")
        #expect(refusal(configuration) == 2026)
    }

    @Test("a certificate for another host is refused")
    mutating func wrongHost() throws {
        // The same server, under an address that is not in its certificate.
        configuration.host = "127.0.0.2"
        configuration.encryption = .verified(authorityFile: certificates.authority)
        #expect(refusal(configuration) == 2026)
    }

    @Test("encryption without verification is encryption")
    mutating func unverified() throws {
        configuration.encryption = .unverified
        #expect(try cipher(configuration)?.isEmpty == false)
    }

    @Test("without encryption the server's demand for it is an error")
    mutating func none() throws {
        // The account that needs TLS is refused like a wrong password.
        #expect(refusal(configuration) == 1045)
    }

    @Test("a TCP connection that was idle for too long is replaced, but not inside a transaction")
    mutating func idle() throws {
        configuration.encryption = .unverified
        configuration.maximumIdleTime = .zero
        let database = Database(configuration)
        let identifier = try database.value("SELECT CONNECTION_ID()")
        #expect(try database.value("SELECT CONNECTION_ID()") != identifier)
        let isSame = try database.transaction { () throws(DatabaseError) in
            let identifier = try database.value("SELECT CONNECTION_ID()")
            return .commit(try database.value("SELECT CONNECTION_ID()") == identifier)
        }
        #expect(isSame)
    }

    @Test("a server without TLS is refused when encryption is demanded")
    mutating func plainServer() throws {
        let plain = try MariaDBServer.shared()
        configuration = plain.configuration()
        configuration.encryption = .unverified
        #expect(refusal(configuration) == 2026)
        configuration.encryption = .verified(authorityFile: certificates.authority)
        #expect(refusal(configuration) == 2026)
    }
}
