import ContractSuite
import Foundation
import TestSupport

/// The tutorial's PHP at work on the same database as a site, as while an administrator has both in use.
final class PHPNeighbour {
    private let web: Sandbox
    private let php: PHPFPM
    private let nginx: NginxServer

    init(of site: Site) throws {
        web = try Sandbox()
        let folder = try web.makeDirectory("iReporter", permissions: 0o755)
        try web.makeDirectory("iReporter/upload", permissions: 0o755)
        for name in ["index.php", "commands.php", "database.php"] {
            let source = Repository.url("Tests/ReferencePHP/\(name)")
            try FileManager.default.copyItem(at: source, to: URL(filePath: "\(folder)/\(name)"))
        }
        php = try PHPFPM()
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

    var url: String { nginx.url + "/iReporter/" }
}
