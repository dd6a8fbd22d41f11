import Foundation

/// A private MariaDB with its own data directory and unix socket, and an account `root` without a password.
///
/// Unchecked because its running process changes; that is guarded by `lock`.
public final class MariaDBServer: @unchecked Sendable {
    /// What a server is started with.
    public struct Options: Sendable, Hashable {
        /// `character_set_server`; the contract's legacy servers have `latin1`.
        public var characterSet = "latin1"
        /// `sql_mode`; `nil` is MariaDB's default, which refuses values that do not fit.
        public var sqlMode: String?
        /// Whether it also listens on 127.0.0.1.
        public var listensOnTCP = false
        /// More options as `mariadbd` takes them, such as `--wait-timeout=1`.
        public var more: [String] = []

        /// The defaults, with another character set.
        public init(characterSet: String = "latin1") {
            self.characterSet = characterSet
        }
    }

    /// The folder that holds everything of this server.
    public let sandbox: Sandbox
    /// What it was started with.
    public let options: Options
    /// The TCP port, if it listens on one.
    public let port: UInt16?

    private let lock = NSLock()
    private var process: ChildProcess?
    private var databaseCount = 0

    /// Creates a data directory and starts a server on it.
    ///
    /// - Throws: `TestFailure` with the server's last words, or the package that is missing.
    public init(_ options: Options = Options()) throws {
        self.options = options
        sandbox = try Sandbox()
        port = options.listensOnTCP ? try LocalSocket.freePort() : nil
        try FileManager.default.copyItem(atPath: Self.emptyData.get().path("data"), toPath: sandbox.path("data"))
        try start()
    }

    deinit {
        kill()
    }

    /// The path of its unix socket.
    public var socketPath: String { sandbox.path("s") }

    /// What it has written to its error log.
    public var log: String { sandbox.read("log") }

    /// Whether its process is alive.
    public var isRunning: Bool { lock.withLock { process?.isRunning ?? false } }

    /// Starts the server, after `stop` or `kill`, and waits until it answers.
    public func start() throws {
        let started = try ChildProcess(
            Tool.mariadbd.url(),
            ["--no-defaults", "--datadir=\(sandbox.path("data"))", "--socket=\(socketPath)"]
                + [
                    "--tmpdir=\(sandbox.path)", "--pid-file=\(sandbox.path("pid"))",
                    "--character-set-server=\(options.characterSet)",
                ]
                + (port.map { ["--bind-address=127.0.0.1", "--port=\($0)"] } ?? ["--skip-networking"])
                + (options.sqlMode.map { ["--sql-mode=\($0)"] } ?? [])
                + Self.account + Self.smallFiles + Self.fast + options.more,
            output: sandbox.path("log"),
            error: sandbox.path("log")
        )
        lock.withLock { process = started }
        let isUp = waitUntil(within: 60) { !started.isRunning || LocalSocket.accepts(path: socketPath) }
        guard isUp, started.isRunning else {
            throw TestFailure("mariadbd did not start: \(log.suffix(2000))")
        }
        try run("SELECT 1")
    }

    /// Shuts the server down properly.
    public func stop() {
        take()?.terminate(within: 60)
    }

    /// Ends the server as a power cut would.
    public func kill() {
        take()?.kill()
    }

    /// Shuts the server down and starts it on the same data and socket.
    public func restart() throws {
        stop()
        try start()
    }

    /// Stops the process from answering, or lets it go on, without closing a connection.
    public func suspend(_ isSuspended: Bool) {
        lock.withLock { process }?.signal(isSuspended ? SIGSTOP : SIGCONT)
    }

    /// Executes SQL as `root` through the command-line client.
    ///
    /// - Returns: the results, one row a line, columns separated by tabs, without headings.
    @discardableResult
    public func run(_ sql: String, database: String? = nil) throws -> String {
        try ChildProcess.run(
            Tool.mariadb.url(),
            ["--no-defaults", "--socket=\(socketPath)", "--user=root", "--batch", "--skip-column-names"]
                + ["--default-character-set=binary"] + (database.map { [$0] } ?? []),
            input: sql
        )
    }

    /// Creates a database with a new name and the given tables.
    ///
    /// - Returns: its name.
    public func makeDatabase(_ schema: Schema) throws -> String {
        let name = lock.withLock {
            databaseCount += 1
            return "test\(databaseCount)"
        }
        try run("CREATE DATABASE \(name)")
        try run(schema.sql(), database: name)
        return name
    }

    private func take() -> ChildProcess? {
        lock.withLock {
            defer { process = nil }
            return process
        }
    }

    /// A data directory as a new server has it, made once and copied for each.
    private static let emptyData = Result {
        let sandbox = try Sandbox()
        try ChildProcess.run(
            Tool.mariadbInstallDB.url(),
            ["--no-defaults", "--datadir=\(sandbox.path("data"))", "--auth-root-authentication-method=normal"]
                + ["--skip-test-db", "--skip-name-resolve", "--force"] + account + smallFiles,
            // Every server that starts removes the temporary tables it finds in /tmp, another's too.
            environment: ["TMPDIR": sandbox.path]
        )
        return sandbox
    }

    /// Only root has to say who it wants to be.
    private static let account = getuid() == 0 ? ["--user=root"] : []
    private static let smallFiles = [
        "--innodb-log-file-size=8M", "--innodb-data-file-path=ibdata1:8M:autoextend", "--innodb-buffer-pool-size=16M",
    ]
    /// Fast, but safe from `kill`: what was committed is with the operating system.
    private static let fast = [
        // The doublewrite buffer stays: tests kill servers, and a kill can cut the writing of a page in two.
        "--innodb-flush-log-at-trx-commit=2", "--innodb-flush-method=nosync",
        "--key-buffer-size=1M", "--skip-log-bin", "--performance-schema=OFF",
    ]
}

// MARK: - Sharing

extension MariaDBServer {
    private static let shared = SharedServers()

    /// The one server of these options in this test process, started when first asked for.
    ///
    /// For tests that neither stop it nor change its settings; each makes its own database.
    public static func shared(_ options: Options = Options()) throws -> MariaDBServer {
        try shared.server(options)
    }

    /// The servers that are shared.
    ///
    /// Unchecked because `servers` is guarded by `lock`.
    private final class SharedServers: @unchecked Sendable {
        private let lock = NSLock()
        private var servers: [Options: MariaDBServer] = [:]

        func server(_ options: Options) throws -> MariaDBServer {
            // Held while one starts, so that no second one does.
            try lock.withLock {
                if let server = servers[options] { return server }
                let server = try MariaDBServer(options)
                servers[options] = server
                return server
            }
        }
    }
}
