import ContractSuite
import Foundation
import TestSupport

/// The PHP of `Tests/ReferencePHP` behind a private nginx, php-fpm and MariaDB, with the tables of existing
/// installations.
final class ReferenceSite: Sendable {
    /// How the site's PHP and MariaDB are set up.
    struct Options: Sendable, Hashable {
        /// The server's default character set, which is the connection's.
        var characterSet = "latin1"
        /// Whether mysqli throws, as it does since PHP 8.1.
        var throwsErrors = false
    }

    /// The server and the name of its database.
    let mariadb: MariaDBServer
    let database: String
    private let php: PHPFPM
    private let nginx: NginxServer
    private let web: Sandbox

    init(_ options: Options = Options()) throws {
        mariadb = try MariaDBServer.shared(MariaDBServer.Options(characterSet: options.characterSet))
        database = try mariadb.makeDatabase(.empty)
        try mariadb.run(
            String(contentsOf: Repository.url("Tests/ReferencePHP/tables.sql"), encoding: .utf8),
            database: database
        )
        web = try Sandbox()
        php = try PHPFPM()
        nginx = try NginxServer(
            server: php.nginxLocation([
                "REFERENCE_DB_SOCKET": mariadb.socketPath, "REFERENCE_DB_NAME": database,
                "REFERENCE_DB_THROWS": options.throwsErrors ? "1" : "0",
            ]),
            root: web.path
        )
    }

    /// Makes a copy of the backend, changed in one place if so wanted, and answers its directory URL.
    func install(
        _ name: String,
        changing file: String? = nil,
        _ old: String = "",
        to new: String = ""
    ) throws -> ContractURL {
        let folder = try web.makeDirectory("\(name)/iReporter", permissions: 0o755)
        for source in try FileManager.default.contentsOfDirectory(atPath: Repository.url("Tests/ReferencePHP").path)
        where source.hasSuffix(".php") {
            var text = try String(contentsOf: Repository.url("Tests/ReferencePHP/\(source)"), encoding: .utf8)
            if source == file {
                guard text.contains(old) else { throw TestFailure("\(source) has no \(old)") }
                text = text.replacing(old, with: new)
            }
            try text.write(toFile: "\(folder)/\(source)", atomically: false, encoding: .utf8)
        }
        try web.makeDirectory("\(name)/iReporter/upload", permissions: 0o755)
        return try ContractURL("\(nginx.url)/\(name)/iReporter/")
    }

    /// What php-fpm has to say.
    var log: String { php.log }
}
