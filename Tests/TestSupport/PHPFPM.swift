import Foundation

/// A private php-fpm on a unix socket, set up as the tutorial's hosts were.
public final class PHPFPM: Sendable {
    /// The folder that holds everything of this server.
    public let sandbox: Sandbox
    /// Where PHP keeps session files (`session.save_path`).
    public let sessionDirectory: String
    private let process: ChildProcess

    /// Starts php-fpm and waits until it answers.
    ///
    /// - Parameters:
    ///   - sessionDirectory: an existing folder to share with others; `nil` is one of its own.
    ///   - user: whom root lets the scripts run as; it needs access to what they use.
    ///   - settings: `php.ini` settings that replace or join the usual ones.
    /// - Throws: `TestFailure` with php-fpm's own complaint, or the package that is missing.
    public init(
        sessionDirectory: String? = nil,
        user: String = "root",
        settings: [String: String] = [:]
    ) throws {
        sandbox = try Sandbox()
        self.sessionDirectory = try sessionDirectory ?? sandbox.makeDirectory("sessions")
        try sandbox.makeDirectory("tmp")
        let usual = [
            "short_open_tag": "On",
            "display_errors": "Off",
            "log_errors": "On",
            "session.save_path": self.sessionDirectory,
            "upload_tmp_dir": sandbox.path("tmp"),
        ]
        let path = try sandbox.write(
            Self.configuration(sandbox, user: user, settings: usual.merging(settings) { $1 }),
            to: "php-fpm.conf"
        )
        process = try ChildProcess(
            Tool.phpFPM.url(),
            ["--nodaemonize", "--fpm-config", path] + (getuid() == 0 ? ["--allow-to-run-as-root"] : []),
            output: sandbox.path("output"),
            error: sandbox.path("output")
        )
        let (process, socketPath) = (process, socketPath)
        let isUp = waitUntil(within: 30) { !process.isRunning || LocalSocket.accepts(path: socketPath) }
        guard isUp, process.isRunning else { throw TestFailure("php-fpm did not start: \(process.error)") }
    }

    deinit {
        stop()
    }

    /// The path of its unix socket.
    public var socketPath: String { sandbox.path("s") }

    /// What php-fpm and the scripts have logged.
    public var log: String { sandbox.read("log") + process.error }

    /// What a server block of nginx needs so that this php-fpm answers for `.php` files below its root, and for folders
    /// that have an `index.php`.
    ///
    /// - Parameter parameters: what the scripts find in `$_SERVER` beside the usual.
    public func nginxLocation(_ parameters: KeyValuePairs<String, String> = [:]) -> String {
        """
        index index.php;
        location ~ \\.php$ {
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
            \(parameters.map { "fastcgi_param \($0) \($1);" }.joined(separator: "\n"))
            fastcgi_pass unix:\(socketPath);
        }
        """
    }

    /// Ends php-fpm and its workers.
    public func stop() {
        process.terminate()
    }

    private static func configuration(_ sandbox: Sandbox, user: String, settings: [String: String]) -> String {
        let account = getuid() == 0 ? "user = \(user)\ngroup = \(user)\nlisten.owner = \(user)\n" : ""
        let values = settings.sorted { $0.key < $1.key }.map { "php_value[\($0.key)] = \($0.value)" }
        return """
            [global]
            error_log = \(sandbox.path("log"))
            [www]
            \(account)listen = \(sandbox.path("s"))
            listen.backlog = 511
            pm = static
            pm.max_children = 4
            catch_workers_output = yes
            clear_env = no
            \(values.joined(separator: "\n"))

            """
    }
}
