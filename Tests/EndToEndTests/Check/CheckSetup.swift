import Foundation
import TestSupport
import Testing

/// A set-up that can be broken.
final class CheckSetup {
    /// The tests' own user.
    static let user = NSUserName()
    /// What the C library says of a name that has no address; without a network, that it cannot ask.
    static let unknownHost = {
        var found: UnsafeMutablePointer<addrinfo>?
        defer { unsafe freeaddrinfo(found) }
        return unsafe String(cString: gai_strerror(getaddrinfo("no-such-host.invalid", nil, nil, &found)))
    }()
    /// nginx's user, and a group of that one; the tests' own unless root runs them, whom every group is open to.
    static let webUser = getuid() == 0 ? "www-data" : user
    static let webGroup = getuid() == 0 ? "www-data" : unsafe String(cString: getgrgid(getegid()).pointee.gr_name)
    /// Whom the check runs as where root would be stopped by nothing.
    static let worker = getuid() == 0 ? "nobody" : user

    let server: MariaDBServer
    let database: String
    let folder: Sandbox
    var environment: [String: String]
    var nginx: String
    /// Whether the check runs as `nobody`, in the groups `root` and `www-data`, rather than as the tests' own user.
    var runsAsNobody = false
    /// Commands of the shell that mount what the check is to find, seen by nobody else and gone with it.
    var mounts: String?

    init(_ schema: Schema) throws {
        server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        database = try server.makeDatabase(schema)
        folder = try Sandbox()
        // Whoever the check runs as reaches the server, and nginx's user what it serves.
        try server.sandbox.allow("", 0o755)
        try folder.allow("", 0o755)
        let upload = try folder.makeDirectory("upload", permissions: 0o755)
        environment = [
            "IREPORTER_DB_SOCKET": server.socketPath, "IREPORTER_DB_USER": "root", "IREPORTER_DB_NAME": database,
            "IREPORTER_UPLOAD_DIR": upload, "IREPORTER_LISTEN": "unix:\(folder.path("s"))",
            "IREPORTER_SESSION_STORE": "files:\(try folder.makeDirectory("sessions"))",
        ]
        environment["IREPORTER_SOCKET_GROUP"] = Self.webGroup
        func shipped(_ name: String) throws -> String {
            try String(contentsOf: Repository.url("deploy/nginx/\(name)"), encoding: .utf8)
        }
        nginx = "user \(Self.webUser); http { \(try shipped("ireporter-upstream.conf")) "
        nginx += "server { \(try shipped("ireporter.conf")) } }"
        nginx = nginx.replacing("/var/www/html/iReporter/upload", with: upload)
            .replacing("/run/ireporter/ireporter.sock", with: folder.path("s"))
    }

    func sql(_ statements: String) throws {
        try server.run(statements, database: database)
    }

    /// Makes an account with a password and some rights on the database.
    func account(_ name: String, rights: String) throws {
        try sql("CREATE USER '\(name)'@localhost IDENTIFIED BY 'right'")
        try sql("GRANT \(rights) ON \(database).* TO '\(name)'@localhost")
        environment["IREPORTER_DB_USER"] = name
        environment["IREPORTER_DB_PASSWORD"] = "right"
    }

    /// Turns the folder of a setting into one that the checking user may not write to, with something of others in it.
    func shareFolder(_ name: String) throws {
        try folder.write("", to: "\(name)/others")
        try folder.allow(name, 0o555)
        try runAsNobody()
    }

    /// Lets the check run as somebody whom the folders let in, but who is not root.
    func runAsNobody() throws {
        runsAsNobody = getuid() == 0
        for name in ["", "upload", "sessions"] where try folder.permissions(name) != 0o555 {
            try folder.allow(name, name == "sessions" ? 0o733 : 0o777)
        }
    }

    func check(_ more: [String] = []) throws -> (status: Int32, output: String) {
        let file = try folder.write(nginx, to: "nginx.conf")
        var command = [try WorkerProcess.executable().path, "check", "--nginx", file] + more
        if runsAsNobody {
            command = ["setpriv", "--reuid=65534", "--groups=www-data", "--"] + command
        }
        if let mounts {
            command = try Self.privateMounts() + ["sh", "-ec", "\(mounts)\nexec \"$@\"", "sh"] + command
        }
        let process = try ChildProcess(
            Tool("env", package: "coreutils").url(),
            command,
            environment: environment,
            output: folder.path("out"),
            error: folder.path("err")
        )
        let status = process.wait()
        return (status, process.output + process.error)
    }
}

extension CheckSetup {
    /// How to run a command with mounts of its own.
    ///
    /// - Throws: `TestFailure` where the system allows none.
    private static func privateMounts() throws -> [String] {
        let command = getuid() == 0 ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"]
        do {
            try ChildProcess.run(
                Tool("env", package: "coreutils").url(),
                command + ["mount", "-t", "tmpfs", "none", "/mnt"]
            )
        } catch {
            throw TestFailure("a full disk needs a mount of its own, which root has, or a user namespace: \(error)")
        }
        return command
    }
}

/// A way to break a set-up, and all that the check then says with `--quiet`.
struct BrokenSetup: Sendable, CustomTestStringConvertible {
    let name: String
    var schema = Schema.current
    /// Whether only root can bring it about, with an nginx or files of other users.
    var needsRoot = false
    let apply: @Sendable (CheckSetup) throws -> Void
    /// The problems, under the heading of their section, each with its cure.
    let findings: @Sendable (CheckSetup) -> String

    var testDescription: String { name }

    /// Whether the tests' own user can bring it about; `CheckTests` tells if some cannot be.
    var isPossible: Bool { !needsRoot || getuid() == 0 }

    /// Breaks a set-up, checks it, and compares every byte.
    func run() throws {
        let setup = try CheckSetup(schema)
        try apply(setup)
        let (status, output) = try setup.check(["--quiet"])
        let expected = findings(setup)
        let count = expected.ranges(of: "  problem  ").count
        #expect(status == 1)
        #expect(output == "\(expected)\n\(count == 1 ? "1 problem" : "\(count) problems")\n")
    }
}

extension Sandbox {
    /// The permission bits of something in the folder.
    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    /// Sets the permission bits of something in the folder.
    func allow(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
}
