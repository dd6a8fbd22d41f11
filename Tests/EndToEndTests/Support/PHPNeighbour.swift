import ContractSuite
import Foundation
import TestSupport

/// The tutorial's PHP at work on the same database as a site, as while an administrator has both in use.
final class PHPNeighbour {
    private let web: Sandbox
    private let php: PHPFPM
    private let nginx: NginxServer

    /// Starts php-fpm and nginx.
    ///
    /// - Parameters:
    ///   - sharesSessions: whether it keeps its sessions where the site keeps its own.
    ///   - sharesPhotos: whether it has the site's upload folder rather than its own.
    ///   - folder: somebody's own PHP for the tutorial's tables in a database called `iReport`; nil is
    ///     `Tests/ReferencePHP`.
    ///   - settings: `php.ini` settings beside the usual ones.
    init(
        of site: Site,
        sharesSessions: Bool = false,
        sharesPhotos: Bool = false,
        folder source: String? = nil,
        settings: [String: String] = [:]
    ) throws {
        web = try Sandbox()
        let folder = try web.makeDirectory("iReporter", permissions: 0o755)
        let source = source ?? Repository.url("Tests/ReferencePHP").path
        for name in try FileManager.default.contentsOfDirectory(atPath: source) where name.hasSuffix(".php") {
            let text = try String(contentsOf: URL(filePath: "\(source)/\(name)"), encoding: .utf8)
            try web.write(text.replacing(#""iReport""#, with: "\"\(site.database)\""), to: "iReporter/\(name)")
        }
        if sharesPhotos {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/upload",
                withDestinationPath: site.uploads
            )
        } else {
            try web.makeDirectory("iReporter/upload", permissions: 0o755)
        }
        // As before PHP 8.1, and as the tutorial expects: the database's refusals end no script.
        let quiet = try web.write("<?php mysqli_report(MYSQLI_REPORT_OFF);", to: "before.php")
        let usual = ["mysqli.default_socket": site.server.socketPath, "auto_prepend_file": quiet]
        php = try PHPFPM(
            sessionDirectory: sharesSessions ? site.sessions : nil,
            settings: usual.merging(settings) { $1 }
        )
        nginx = try NginxServer(
            server: php.nginxLocation([
                "REFERENCE_DB_SOCKET": site.server.socketPath, "REFERENCE_DB_NAME": site.database,
            ]),
            root: web.path
        )
    }

    var url: String { nginx.url + "/iReporter/" }

    /// What php-fpm and the scripts have logged.
    var log: String { php.log }
}
