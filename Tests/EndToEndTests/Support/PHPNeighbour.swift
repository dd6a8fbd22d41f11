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
    ///   - settings: `php.ini` settings beside the usual ones.
    init(of site: Site, sharesSessions: Bool = false, settings: [String: String] = [:]) throws {
        web = try Sandbox()
        let folder = try web.makeDirectory("iReporter", permissions: 0o755)
        try web.makeDirectory("iReporter/upload", permissions: 0o755)
        for name in ["index.php", "commands.php", "database.php"] {
            let source = Repository.url("Tests/ReferencePHP/\(name)")
            try FileManager.default.copyItem(at: source, to: URL(filePath: "\(folder)/\(name)"))
        }
        php = try PHPFPM(sessionDirectory: sharesSessions ? site.sessions : nil, settings: settings)
        nginx = try NginxServer(
            server: """
                index index.php;
                location ~ \\.php$ {
                    include /etc/nginx/fastcgi_params;
                    fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
                    fastcgi_param REFERENCE_DB_SOCKET \(site.server.socketPath);
                    fastcgi_param REFERENCE_DB_NAME \(site.database);
                    fastcgi_pass unix:\(php.socketPath);
                }
                """,
            root: web.path
        )
    }

    /// What php-fpm and the scripts have logged.
    var log: String { php.log }

    var url: String { nginx.url + "/iReporter/" }
}
