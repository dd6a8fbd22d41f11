import Foundation
import TestSupport

@testable import ContractSuite

/// A whole backend for one test: the worker behind nginx, with the snippet that administrators use, on a database of
/// its own.
final class Site {
    let server: MariaDBServer
    let database: String
    let sandbox: Sandbox
    private(set) var nginx: NginxServer!
    private(set) var workers: [WorkerProcess] = []
    private let isLegacy: Bool
    private var settings: [String: String]

    var uploads: String { sandbox.path("upload") }
    var sessions: String { sandbox.path("sessions") }
    private func socketPath(_ number: Int) -> String { sandbox.path("w\(number)") }

    /// Starts a site.
    ///
    /// - Parameters:
    ///   - server: shared unless the test stops it.
    ///   - workers: how many worker processes nginx sends requests to in turn.
    ///   - settings: the worker's, beside those that the site needs; an empty one takes one of those away.
    ///   - directives: nginx's for the server, beside the snippet.
    init(
        _ schema: Schema,
        on server: MariaDBServer,
        workers count: Int = 1,
        settings: [String: String] = [:],
        nginx directives: String = ""
    ) throws {
        self.server = server
        self.settings = settings
        if case .legacy = schema { isLegacy = true } else { isLegacy = false }
        database = try server.makeDatabase(schema)
        sandbox = try Sandbox()
        try sandbox.makeDirectory("upload")
        try sandbox.makeDirectory("sessions")
        for number in 0..<count {
            workers.append(try startWorker(number))
        }
        let snippet = try String(contentsOf: Repository.url("deploy/nginx/ireporter.conf"), encoding: .utf8)
        nginx = try NginxServer(
            server: directives + "\n" + snippet.replacing("/var/www/html/iReporter/upload", with: uploads),
            http: """
                upstream ireporter {
                \((0..<count).map { "server unix:\(socketPath($0));" }.joined(separator: "\n"))
                keepalive 32;
                }
                """
        )
    }

    /// The settings of the site's workers, which its other commands share.
    var environment: [String: String] {
        var environment = [
            "IREPORTER_DB_SOCKET": server.socketPath,
            "IREPORTER_DB_USER": "root",
            "IREPORTER_DB_NAME": database,
            "IREPORTER_UPLOAD_DIR": uploads,
            "IREPORTER_SESSION_STORE": "files:\(sessions)",
            // Little work, so that a suite of hundreds of log-ins does not take minutes.
            "IREPORTER_SCRYPT": "ln=10,r=8,p=1",
        ]
        if isLegacy {
            // Their column has no room for hashes.
            environment["IREPORTER_PASSWORDS"] = "plain"
        }
        // An empty value takes a setting away.
        return environment.merging(settings) { $1 }.filter { !$0.value.isEmpty }
    }

    /// Runs a subcommand with the worker's settings to its end.
    func run(_ arguments: [String]) throws -> WorkerProcess {
        let process = try WorkerProcess(arguments, environment: environment)
        process.wait()
        return process
    }

    private func startWorker(_ number: Int) throws -> WorkerProcess {
        try WorkerProcess(
            ["serve", "--listen", "unix:\(socketPath(number))"],
            environment: environment,
            socketPath: socketPath(number)
        )
    }

    /// Starts the first worker again, after the test has ended it, with other settings if so wanted.
    func restartWorker(settings changed: [String: String] = [:]) throws {
        settings.merge(changed) { $1 }
        workers[0] = try startWorker(0)
    }

    var worker: WorkerProcess { workers[0] }

    var url: String { nginx.url + "/iReporter/" }

    /// A client without cookies.
    func client() throws -> SiteClient { try SiteClient(url) }

    /// An nginx that sends everything to one of the workers, as on a host of its own.
    func gateway(to number: Int) throws -> NginxServer {
        let snippet = try String(contentsOf: Repository.url("deploy/nginx/ireporter.conf"), encoding: .utf8)
        return try NginxServer(
            server: snippet.replacing("/var/www/html/iReporter/upload", with: uploads),
            http: "upstream ireporter { server unix:\(socketPath(number)); keepalive 32; }"
        )
    }

    /// Executes SQL in the site's database; the result's lines.
    @discardableResult
    func sql(_ statement: String) throws -> String {
        try server.run(statement, database: database).trimmingCharacters(in: .newlines)
    }

    /// What is in the upload folder, hidden files included.
    func uploadedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: uploads).sorted()
    }
}

/// Database servers that tests share.
enum Servers {
    static func latin1() throws -> MariaDBServer { try .shared(.init(characterSet: "latin1")) }
    static func utf8mb4() throws -> MariaDBServer { try .shared(.init(characterSet: "utf8mb4")) }
}
