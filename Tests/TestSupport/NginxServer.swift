import Foundation

/// A private nginx on a free port of 127.0.0.1.
public final class NginxServer: Sendable {
    /// The folder that holds everything of this server.
    public let sandbox: Sandbox
    /// The port it listens on.
    public let port: UInt16
    private let process: ChildProcess

    /// Starts nginx and waits until it answers.
    ///
    /// - Parameters:
    ///   - server: what stands in the `server` block besides `listen`, such as locations or an `include`.
    ///   - http: what stands in the `http` block besides it, such as an `upstream`.
    ///   - root: the `root` of the server; `nil` is an empty folder.
    ///   - user: whom root lets the workers run as; it needs access to what they serve.
    /// - Throws: `TestFailure` with nginx's own complaint, or the package that is missing.
    public init(server: String, http: String = "", root: String? = nil, user: String = "root") throws {
        sandbox = try Sandbox()
        port = try LocalSocket.freePort()
        let root = try root ?? sandbox.makeDirectory("root", permissions: 0o755)
        let configuration = Self.configuration(
            sandbox,
            user: user,
            port: port,
            root: root,
            server: server,
            http: http
        )
        let path = try sandbox.write(configuration, to: "nginx.conf")
        process = try ChildProcess(
            Tool.nginx.url(),
            ["-p", sandbox.path, "-e", sandbox.path("error.log"), "-c", path],
            output: sandbox.path("output"),
            error: sandbox.path("output")
        )
        let (process, port) = (process, port)
        let isUp = waitUntil(within: 30) { !process.isRunning || LocalSocket.accepts(port: port) }
        guard isUp, process.isRunning else {
            throw TestFailure("nginx did not start: \(process.error)\(sandbox.read("error.log"))")
        }
    }

    deinit {
        stop()
    }

    /// The server's address, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// What nginx has written to its error log.
    public var errorLog: String { sandbox.read("error.log") }

    /// One line per request, in the format `combined`.
    public var accessLog: String { sandbox.read("access.log") }

    /// Ends nginx and its workers.
    public func stop() {
        // The master ends its workers at once.
        process.terminate()
    }

    private static func configuration(
        _ sandbox: Sandbox,
        user: String,
        port: UInt16,
        root: String,
        server: String,
        http: String
    ) -> String {
        """
        \(getuid() == 0 ? "user \(user);" : "")
        daemon off;
        worker_processes 2;
        pid \(sandbox.path("pid"));
        error_log \(sandbox.path("error.log")) info;
        events { worker_connections 4096; }
        http {
            include /etc/nginx/mime.types;
            access_log \(sandbox.path("access.log"));
            client_body_temp_path \(sandbox.path("body"));
            fastcgi_temp_path \(sandbox.path("fastcgi"));
            proxy_temp_path \(sandbox.path("proxy"));
            scgi_temp_path \(sandbox.path("scgi"));
            uwsgi_temp_path \(sandbox.path("uwsgi"));
        \(http)
            server {
                listen 127.0.0.1:\(port);
                root \(root);
        \(server)
            }
        }
        """
    }
}
