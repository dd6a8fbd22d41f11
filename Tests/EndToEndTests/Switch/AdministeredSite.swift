import Foundation
import TestSupport

/// Somebody's running PHP site, and a shell to follow the guide in.
///
/// Everything that the guide finds below `/etc`, `/run` and `/var` is below a folder of the test's own, and the servers'
/// commands are wrapped, so that they work on the site's own.
final class AdministeredSite {
    let root: Sandbox
    let mariadb: MariaDBServer
    private(set) var nginx: NginxServer!
    private let php: PHPFPM
    /// Shells whose last command is a worker.
    private var shells: [ChildProcess] = []
    private var reloads = 0

    /// Starts a site as the tutorial leaves it, with the one line in its server block that the guide asks for.
    init(include: String) throws {
        root = try Sandbox()
        // As on the tutorial's hosts.
        mariadb = try MariaDBServer(.init(characterSet: "latin1"))
        try mariadb.run("CREATE DATABASE iReport")
        try mariadb.run(Schema.legacy.sql(), database: "iReport")
        for folder in ["run/mysqld", "etc", "var/log", "root", "usr/local/bin", "var/www/html/iReporter/upload"] {
            try root.makeDirectory(folder, permissions: 0o755)
        }
        // As Debian has it.
        let sessions = try root.makeDirectory("var/lib/php/sessions", permissions: 0o755)
        try root.makeDirectory("tmp")
        for (path, mode) in [(root.path, 0o755), (mariadb.sandbox.path, 0o755), (sessions, 0o1733)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        if Self.isRoot {
            for path in [root.path("tmp"), root.path("var/www/html/iReporter/upload")] {
                try FileManager.default.setAttributes([.ownerAccountName: "www-data"], ofItemAtPath: path)
            }
        }
        php = try PHPFPM(
            sessionDirectory: sessions,
            user: "www-data",
            settings: ["upload_tmp_dir": root.path("tmp")]
        )
        for name in ["index.php", "commands.php", "database.php"] {
            let source = try String(contentsOf: Repository.url("Tests/ReferencePHP/\(name)"), encoding: .utf8)
            // It says who it is, which no client looks at.
            let told = source.replacing("session_start();", with: "session_start(); header('X-Side: PHP');")
            try root.write(told, to: "var/www/html/iReporter/\(name)")
        }
        nginx = try NginxServer(
            server: php.nginxLocation(["REFERENCE_DB_SOCKET": mariadb.socketPath, "REFERENCE_THUMB_SIDE": "180"])
                + "\n\(include)",
            http: "include conf.d/*.conf;",
            root: root.path("var/www/html"),
            user: "www-data"
        )
        for folder in [php.sandbox, nginx.sandbox] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        }
        try nginx.sandbox.makeDirectory("conf.d", permissions: 0o755)
        try nginx.sandbox.makeDirectory("snippets", permissions: 0o755)
        let files = FileManager.default
        try files.createSymbolicLink(atPath: root.path("etc/nginx"), withDestinationPath: nginx.sandbox.path)
        try files.createSymbolicLink(
            atPath: root.path("run/mysqld/mysqld.sock"),
            withDestinationPath: mariadb.socketPath
        )
        try checkOut()
        try wrapCommands()
    }

    /// A copy of what the guide takes from the repository, with this site's paths.
    private func checkOut() throws {
        try root.makeDirectory("checkout/deploy/nginx")
        try root.makeDirectory("checkout/.build/release")
        for file in try FileManager.default.contentsOfDirectory(atPath: Repository.url("deploy/nginx").path) {
            let text = try String(contentsOf: Repository.url("deploy/nginx/\(file)"), encoding: .utf8)
            try root.write(relocated(text), to: "checkout/deploy/nginx/\(file)")
        }
        try FileManager.default.createSymbolicLink(
            at: URL(filePath: root.path("checkout/.build/release/ireporter")),
            withDestinationURL: WorkerProcess.executable()
        )
    }

    private func wrapCommands() throws {
        let nginxArguments = "-p '\(nginx.sandbox.path)' -e '\(nginx.sandbox.path("error.log"))'"
        let client = "--no-defaults --socket='\(mariadb.socketPath)' --user=root"
        var wrapped = [
            "nginx":
                "exec '\(try Tool.nginx.url().path)' \(nginxArguments) -c '\(nginx.sandbox.path("nginx.conf"))' \"$@\"",
            "mariadb": "exec '\(try Tool.mariadb.url().path)' \(client) \"$@\"",
            "mariadb-dump":
                "exec '\(try Tool("mariadb-dump", package: "mariadb-client").url().path)' \(client) \"$@\"",
        ]
        if !Self.isRoot {
            // The tests' own user is the worker's and PHP's; nginx's it is as well, which a check cannot know.
            wrapped["setpriv"] = """
                while [ "${1#--}" != "$1" ]; do shift; done
                [ "$2" = check ] || exec "$@"
                "$@" || :
                """
            wrapped["install"] = """
                for word; do
                    shift
                    case $word in -o | -g) skip=1 ;; *) [ "$skip" ] && skip= || set -- "$@" "$word" ;; esac
                done
                exec /usr/bin/install "$@"
                """
        }
        for (name, script) in wrapped {
            let path = try root.write("#!/bin/sh\n\(script)\n", to: "usr/local/bin/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Whether worker and PHP are `www-data`, as in the guide, rather than whoever runs the tests.
    static let isRoot = getuid() == 0

    /// A text with the guide's paths as they are here.
    private func relocated(_ text: String) -> String {
        let mark = "\u{1}"
        var result = text
        for path in [
            "/etc/ireporter", "/etc/nginx", "/run/ireporter", "/run/mysqld", "/usr/local/bin", "/var/www/html",
            "/var/lib/php/sessions", "/var/log/ireporter", "/root/",
        ] {
            result = result.replacing(path, with: mark + path)
        }
        return result.replacing(mark, with: root.path)
    }

    /// Runs a block of commands, each of which must succeed, and waits until nginx has taken up what it was told.
    ///
    /// - Returns: what they print on standard output.
    @discardableResult
    func run(_ block: String) throws -> String {
        let folder = try Sandbox()
        let startsWorker = block.contains("ireporter serve")
        let script = """
            set -euo pipefail
            \(relocated(block).replacing("http://localhost/", with: nginx.url + "/"))
            touch '\(folder.path("done"))'
            wait
            """
        let shell = try ChildProcess(
            Tool("bash", package: "bash").url(),
            [try folder.write(script, to: "script")],
            environment: ["PATH": "\(root.path("usr/local/bin")):/usr/sbin:/usr/bin:/sbin:/bin"],
            directory: root.path("checkout"),
            output: folder.path("out"),
            error: folder.path("err")
        )
        let isDone = { FileManager.default.fileExists(atPath: folder.path("done")) }
        _ = waitUntil(within: 300) { isDone() || !shell.isRunning }
        guard isDone() else {
            throw TestFailure("this failed:\n\(block)\n\(shell.output.suffix(2000))\n\(shell.error.suffix(2000))")
        }
        if startsWorker {
            shells.append(shell)
            try waitForWorker()
        } else {
            shell.wait()
        }
        if block.contains("nginx -s reload") {
            try waitForReload()
        }
        return shell.output
    }

    private func waitForWorker() throws {
        let socket = root.path("run/ireporter/ireporter.sock")
        let ping = ["status", "--ping", "--listen", "unix:\(root.path("run/ireporter/status.sock"))"]
        let isUp = waitUntil(within: 30) {
            FileManager.default.fileExists(atPath: socket) && (try? WorkerProcess(ping).wait()) == 0
        }
        guard isUp else { throw TestFailure("the worker did not start: \(root.read("var/log/ireporter.log"))") }
    }

    /// Waits until both of nginx's processes of the old configuration take no more connections.
    private func waitForReload() throws {
        reloads += 1
        let wanted = reloads * 2
        guard waitUntil(within: 30, { nginx.errorLog.ranges(of: "gracefully shutting down").count >= wanted }) else {
            throw TestFailure("nginx did not reload: \(nginx.errorLog.suffix(2000))")
        }
    }

    /// The worker's process.
    var worker: Int32 {
        get throws {
            guard let number = Int32(root.read("run/ireporter.pid").trimmingCharacters(in: .newlines)) else {
                throw TestFailure("the guide left no process id")
            }
            return number
        }
    }

    var url: String { nginx.url + "/iReporter/" }

    func sql(_ statement: String) throws -> String {
        try mariadb.run(statement, database: "iReport").trimmingCharacters(in: .newlines)
    }
}
