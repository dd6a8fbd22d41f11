import ContractSuite
import Foundation
import TestSupport

/// The worker behind a private nginx with the configuration that `deploy/nginx` ships.
final class WorkerSite: Sendable {
    private let mariadb: MariaDBServer
    private let folders: Sandbox
    private let worker: WorkerProcess
    private let nginx: NginxServer

    /// Starts everything.
    ///
    /// - Parameters:
    ///   - schema: the tables.
    ///   - characterSet: the server's default, which is the connection's.
    ///   - environment: settings of the worker beside those of the site.
    ///   - filter: directives of nginx that change the replies on their way.
    init(
        _ schema: Schema,
        characterSet: String = "utf8mb4",
        environment: [String: String] = [:],
        filter: String = ""
    ) throws {
        mariadb = try MariaDBServer.shared(MariaDBServer.Options(characterSet: characterSet))
        folders = try Sandbox()
        let upload = try folders.makeDirectory("upload")
        let settings = [
            "IREPORTER_DB_SOCKET": mariadb.socketPath, "IREPORTER_DB_USER": "root",
            "IREPORTER_DB_NAME": try mariadb.makeDatabase(schema), "IREPORTER_UPLOAD_DIR": upload,
            "IREPORTER_SESSION_STORE": "files:\(try folders.makeDirectory("sessions"))",
            "IREPORTER_SCRYPT": "ln=10,r=8,p=1",
            // The legacy tables have no room for hashes.
            "IREPORTER_PASSWORDS": { if case .legacy = schema { "plain" } else { "scrypt" } }(),
        ]
        let socket = folders.path("s")
        worker = try WorkerProcess(
            ["serve", "--listen", "unix:\(socket)"],
            environment: settings.merging(environment) { $1 },
            socketPath: socket
        )
        func shipped(_ name: String) throws -> String {
            try String(contentsOf: Repository.url("deploy/nginx/\(name)"), encoding: .utf8)
                .replacing("/var/www/html/iReporter/upload", with: upload)
                .replacing("/run/ireporter/ireporter.sock", with: socket)
        }
        nginx = try NginxServer(
            server: "\(filter)\n\(try shipped("ireporter.conf"))",
            http: try shipped("ireporter-upstream.conf")
        )
    }

    /// The backend's directory URL.
    var url: ContractURL {
        get throws { try ContractURL("\(nginx.url)/iReporter/") }
    }
}
