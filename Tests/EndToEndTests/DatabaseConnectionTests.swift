import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// How the worker gets to its database: TLS, passwords from files, option files; and that no secret gets out.
@Suite struct DatabaseConnectionTests {
    private static let secret = "Pa55-w0rd'#\u{e9}"

    /// A server on 127.0.0.1 whose account `app` needs TLS and whose certificate an authority of our own has signed.
    private static let fixture = Result {
        let certificates = try Certificates()
        var options = MariaDBServer.Options()
        options.listensOnTCP = true
        options.more = ["--ssl-cert=\(certificates.certificate)", "--ssl-key=\(certificates.key)"]
        let server = try MariaDBServer(options)
        try server.run(
            """
            SET NAMES utf8mb4;
            CREATE USER app@'%' IDENTIFIED BY '\(secret.replacing("'", with: "''"))' REQUIRE SSL;
            CREATE USER app@localhost IDENTIFIED BY '\(secret.replacing("'", with: "''"))';
            GRANT ALL ON *.* TO app@'%';
            GRANT ALL ON *.* TO app@localhost;
            """
        )
        return (server: server, certificates: certificates)
    }

    private let server: MariaDBServer
    private let certificates: Certificates
    private let files: Sandbox

    init() throws {
        (server, certificates) = try Self.fixture.get()
        files = try Sandbox()
    }

    /// Settings that lead over TCP, with an authority's certificate.
    private func overTLS(_ authority: String) throws -> [String: String] {
        [
            "IREPORTER_DB_SOCKET": "", "IREPORTER_DB_HOST": "127.0.0.1",
            "IREPORTER_DB_PORT": "\(try #require(server.port))", "IREPORTER_DB_USER": "app",
            "IREPORTER_DB_PASSWORD_FILE": try files.write("\(Self.secret)\n", to: "password"),
            "IREPORTER_DB_TLS_CA": authority,
        ]
    }

    /// Neither the log nor the process's command line tells the database's password.
    private func expectNoSecret(_ site: Site) throws {
        let commandLine = try String(contentsOfFile: "/proc/\(site.worker.identifier)/cmdline", encoding: .utf8)
        for text in [site.worker.standardError, site.worker.standardOutput, commandLine] {
            #expect(!text.contains(Self.secret) && !text.contains("Pa55"), "\(text)")
        }
    }

    private func serves(_ site: Site) throws {
        var client = try site.client()
        try client.register("bob")
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        #expect(try client.post(["command": "stream"]).contains(#""title":"title""#))
    }

    @Test func serverWithTheRightCertificateIsTalkedToOverTLS() throws {
        let site = try Site(.current, on: server, settings: overTLS(certificates.authority))
        try serves(site)
        let ciphers = try server.run("SHOW GLOBAL STATUS LIKE 'Ssl_accepts'")
        #expect(ciphers.hasPrefix("Ssl_accepts\t") && ciphers != "Ssl_accepts\t0\n")
        try expectNoSecret(site)
    }

    @Test(arguments: ["another authority", "an authority that is not there", "another host"])
    func serverWithTheWrongCertificateIsRefused(what: String) throws {
        var settings = try overTLS(certificates.authority)
        switch what {
        case "another authority": settings["IREPORTER_DB_TLS_CA"] = certificates.otherAuthority
        case "an authority that is not there": settings["IREPORTER_DB_TLS_CA"] = files.path("nothing.pem")
        // Not the name in the certificate, but not `localhost` either, which is the unix socket.
        default: settings["IREPORTER_DB_HOST"] = "127.0.0.2"
        }
        let site = try Site(.current, on: server, settings: settings)
        var client = try site.client()
        #expect(
            try client.post(["command": "login", "username": "bob", "password": "my secret"])
                == #"{"error":"Database error"}"#
        )
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        #expect(try server.run("SELECT COUNT(*) FROM \(site.database).login") == "0\n")
        #expect(site.worker.standardError.contains("the database does not answer"))
        #expect(!site.worker.standardError.contains("my secret"))
        try expectNoSecret(site)
        let check = try site.run(["check", "--quiet"])
        #expect(check.wait() == 1)
        #expect(check.standardOutput.contains("problem  "), "\(check.standardOutput)")
        #expect(!check.standardOutput.contains("Pa55") && !check.standardError.contains("Pa55"))
    }

    @Test func passwordComesFromAFile() throws {
        let settings = [
            "IREPORTER_DB_USER": "app",
            "IREPORTER_DB_PASSWORD_FILE": try files.write("\(Self.secret)\r\nmore\n", to: "password"),
        ]
        let site = try Site(.current, on: server, settings: settings)
        try serves(site)
        try expectNoSecret(site)
    }

    @Test func whatIsNotSetComesFromAnOptionFile() throws {
        let options = """
            [client]
            socket = \(server.socketPath)
            user = app
            password = "\(Self.secret)"
            """
        let settings = [
            "IREPORTER_DB_SOCKET": "", "IREPORTER_DB_USER": "",
            "IREPORTER_DB_OPTION_FILE": try files.write(options, to: "my.cnf"),
        ]
        let site = try Site(.current, on: server, settings: settings)
        try serves(site)
        try expectNoSecret(site)
    }

    @Test func wrongPasswordIsLoggedWithoutIt() throws {
        let settings = [
            "IREPORTER_DB_USER": "app",
            "IREPORTER_DB_PASSWORD_FILE": try files.write("\(Self.secret)x\n", to: "password"),
        ]
        let site = try Site(.current, on: server, settings: settings)
        var client = try site.client()
        #expect(try client.post(["command": "stream"]) == #"{"error":"Photo stream is broken"}"#)
        let log = site.worker.standardError
        // Before the first client finds out.
        #expect(
            log.hasPrefix(
                """
                ireporter: the database does not answer: Access denied for user 'app'@'localhost' (using password: YES) \
                (1045) -> compare IREPORTER_DB_USER and IREPORTER_DB_PASSWORD (or the option file) with the account in \
                MariaDB; ALTER USER … IDENTIFIED BY … sets its password
                ireporter: ready, listening on
                """
            ),
            "\(log)"
        )
        #expect(log.hasSuffix("Access denied for user 'app'@'localhost' (using password: YES) (1045)\n"))
        try expectNoSecret(site)
    }

    @Test func migrationTakesTheSameWay() throws {
        let database = try server.makeDatabase(.legacy)
        var environment = try overTLS(certificates.authority).filter { !$0.value.isEmpty }
        environment["IREPORTER_DB_NAME"] = database
        let right = try WorkerProcess(["migrate"], environment: environment)
        #expect(right.wait() == 0, "\(right.standardError)")
        environment["IREPORTER_DB_TLS_CA"] = certificates.otherAuthority
        let wrong = try WorkerProcess(["migrate"], environment: environment)
        #expect(wrong.wait() == 1)
        #expect(wrong.standardError.contains("the database does not answer"))
        #expect(!wrong.standardError.contains("Pa55"))
    }
}
