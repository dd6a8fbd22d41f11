import Foundation
import TestSupport
import Testing

/// `ireporter check` on a sound set-up and on broken ones.
@Suite(.serialized) struct CheckTests {
    /// A set-up that can be broken.
    final class Setup {
        let server: MariaDBServer
        let database: String
        let folder: Sandbox
        var environment: [String: String]
        var nginx: String
        /// Whether the check runs as `nobody` rather than as the tests' own user.
        var runsAsNobody = false

        init(_ schema: Schema) throws {
            server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
            database = try server.makeDatabase(schema)
            folder = try Sandbox()
            // nginx's user has to get in.
            try folder.allow("", 0o755)
            let upload = try folder.makeDirectory("upload", permissions: 0o755)
            environment = [
                "IREPORTER_DB_SOCKET": server.socketPath, "IREPORTER_DB_USER": "root", "IREPORTER_DB_NAME": database,
                "IREPORTER_UPLOAD_DIR": upload, "IREPORTER_LISTEN": "unix:\(folder.path("s"))",
                "IREPORTER_SOCKET_GROUP": "www-data",
                "IREPORTER_SESSION_STORE": "files:\(try folder.makeDirectory("sessions"))",
            ]
            func shipped(_ name: String) throws -> String {
                try String(contentsOf: Repository.url("deploy/nginx/\(name)"), encoding: .utf8)
            }
            nginx = "user www-data; http { \(try shipped("ireporter-upstream.conf")) "
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

        func check(_ more: [String] = []) throws -> (status: Int32, output: String) {
            let file = try folder.write(nginx, to: "nginx.conf")
            let executable = try WorkerProcess.executable()
            let arguments = ["check", "--nginx", file] + more
            let asNobody = ["--reuid=65534", "--clear-groups", "--", executable.path]
            let process = try ChildProcess(
                runsAsNobody ? Tool("setpriv", package: "util-linux").url() : executable,
                runsAsNobody ? asNobody + arguments : arguments,
                environment: environment,
                output: folder.path("out"),
                error: folder.path("err")
            )
            let status = process.wait()
            return (status, process.output + process.error)
        }
    }

    /// One way to break a set-up, what it is called, and what is to be done.
    struct Break: Sendable, CustomTestStringConvertible {
        let name: String
        var schema = Schema.current
        let apply: @Sendable (Setup) throws -> Void
        let problem: String
        let cure: String

        var testDescription: String { name }
    }

    @Test func soundSetUpHasNoProblem() throws {
        let setup = try Setup(.current)
        setup.environment["IREPORTER_DB_PASSWORD"] = ""
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("no problems\n"))
        #expect(output.contains("IREPORTER_DB_PASSWORD=********\n"))
        #expect(output.contains("IREPORTER_THUMB_SIDE=90 (default)\n"))
        #expect(!output.contains("\u{1B}"), "no terminal, no colours")
        let files = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(Set(files) == ["upload", "sessions", "nginx.conf", "out", "err"], "nothing was changed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("upload")).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("sessions")).isEmpty)
    }

    @Test func tutorialsTablesWorkAndGetAdvice() throws {
        let setup = try Setup(.legacy)
        setup.environment["IREPORTER_PASSWORDS"] = "plain"
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("advice   table login: MyISAM, latin1_swedish_ci"))
        #expect(output.contains("advice   login.username has no index"))
        #expect(
            output.contains(
                """
                  advice   login.pass is varchar(45), too narrow for the 128 characters of a hash: jsonsignup.php and \
                jsonlogin2.php answer with an error
                           -> ireporter migrate --only 3, or by hand sql/upgrade/003-wide-password.sql, if there are \
                clients of these two

                """
            ),
            "\(output)"
        )
    }

    @Test(arguments: breaks)
    func brokenSetUpIsNamedWithItsCure(_ example: Break) throws {
        let setup = try Setup(example.schema)
        try example.apply(setup)
        let (status, output) = try setup.check(["--quiet"])
        #expect(status == 1, "\(output)")
        let lines = output.split(separator: "\n")
        let problem = try #require(
            lines.firstIndex { $0.hasPrefix("  problem  ") && $0.contains(example.problem) },
            "\(output)"
        )
        #expect(lines[problem + 1].hasPrefix("           -> "))
        #expect(lines[problem + 1].contains(example.cure), "\(lines[problem + 1])")
    }

    static let breaks = [
        Break(
            name: "wrong password",
            apply: {
                try $0.account("a\(UInt32.random(in: 0...UInt32.max))", rights: "ALL")
                $0.environment["IREPORTER_DB_PASSWORD"] = "wrong"
            },
            problem: "the database does not answer: Access denied",
            cure: "IREPORTER_DB_PASSWORD"
        ),
        Break(
            name: "no such database",
            apply: { $0.environment["IREPORTER_DB_NAME"] = "elsewhere" },
            problem: "Unknown database 'elsewhere'",
            cure: "CREATE DATABASE elsewhere"
        ),
        Break(
            name: "MariaDB away",
            apply: { $0.environment["IREPORTER_DB_SOCKET"] = "/nonexistent" },
            problem: "(2002)",
            cure: "is MariaDB running"
        ),
        Break(
            name: "missing table",
            apply: { try $0.sql("DROP TABLE photos") },
            problem: "there is no table photos",
            cure: "sql/schema.sql"
        ),
        Break(
            name: "missing column",
            apply: { try $0.sql("ALTER TABLE login CHANGE pass password VARCHAR(255)") },
            problem: "the table login has no column pass",
            cure: "rename or add the column"
        ),
        Break(
            name: "narrow column",
            schema: .legacy,
            apply: { _ in },
            problem: "login.pass is varchar(45), too narrow for 128 characters",
            cure: "migrate --only 3, or by hand sql/upgrade/003-wide-password.sql; or IREPORTER_PASSWORDS=plain"
        ),
        Break(
            name: "column narrower than the iPhone's passwords",
            apply: {
                try $0.sql("ALTER TABLE login MODIFY pass VARCHAR(20)")
                $0.environment["IREPORTER_PASSWORDS"] = "plain"
            },
            problem: "login.pass is varchar(20), too narrow for 40 characters",
            cure: "sql/upgrade/003-wide-password.sql"
        ),
        Break(
            name: "numbers that do not count",
            apply: { try $0.sql("ALTER TABLE photos MODIFY IdPhoto INT NOT NULL") },
            problem: "photos.IdPhoto does not count by itself",
            cure: "AUTO_INCREMENT"
        ),
        Break(
            name: "somebody else's column without a default",
            apply: { try $0.sql("ALTER TABLE photos ADD place VARCHAR(20) NOT NULL") },
            problem: "photos.place must be filled",
            cure: "SET DEFAULT"
        ),
        Break(
            name: "account that may not write",
            apply: { try $0.account("b\(UInt32.random(in: 0...UInt32.max))", rights: "SELECT") },
            problem: "the account lacks INSERT on login, UPDATE on login, DELETE on login, INSERT on photos",
            cure: "GRANT SELECT, INSERT, UPDATE, DELETE"
        ),
        Break(
            name: "titles encoded twice",
            apply: {
                try $0.sql("SET NAMES utf8mb4; INSERT INTO photos (title, IdUser) VALUES ('grÃ¼n', 1), ('grün', 1)")
            },
            problem: "photos.title: 1 of the newest 2 reach clients mangled",
            cure: "IREPORTER_DB_CHARSET=latin1"
        ),
        Break(
            name: "names that are no UTF-8",
            apply: {
                try $0.sql("SET NAMES utf8mb4; INSERT INTO login (username, pass) VALUES ('grün', 'x')")
                $0.environment["IREPORTER_DB_CHARSET"] = "latin1"
            },
            problem: "login.username: 1 of the newest 1 are no UTF-8",
            cure: "IREPORTER_DB_CHARSET=utf8mb4"
        ),
        Break(
            name: "more threads than connections",
            apply: { $0.environment["IREPORTER_WORKERS"] = "1000" },
            problem: "the server takes 151 connections",
            cure: "max_connections"
        ),
        Break(
            name: "no upload folder",
            apply: { $0.environment["IREPORTER_UPLOAD_DIR"] = "/nonexistent/upload" },
            problem: "/nonexistent/upload: No such file or directory",
            cure: "install -d"
        ),
        Break(
            name: "upload folder that may not be written to",
            apply: {
                try $0.folder.allow("upload", 0o555)
                $0.runsAsNobody = getuid() == 0
            },
            problem: "/upload: Permission denied",
            cure: "chown"
        ),
        Break(
            name: "upload folder that nginx cannot enter",
            apply: { try $0.folder.allow("upload", 0o700) },
            problem: "nginx's user www-data cannot enter",
            cure: "chmod o+x"
        ),
        Break(
            name: "upload folder that is a file",
            apply: { $0.environment["IREPORTER_UPLOAD_DIR"] = try $0.folder.write("", to: "file") },
            problem: "/file: Not a directory",
            cure: "must name a folder"
        ),
        Break(
            name: "no session folder",
            apply: { $0.environment["IREPORTER_SESSION_STORE"] = "files:/nonexistent" },
            problem: "/nonexistent: No such file or directory",
            cure: "session.save_path"
        ),
        Break(
            name: "session folder that everyone may list",
            apply: { try $0.folder.allow("sessions", 0o755) },
            problem: "everyone may list",
            cure: "chmod o-r"
        ),
        Break(
            name: "socket that nginx may not connect to",
            apply: { $0.environment["IREPORTER_SOCKET_MODE"] = "0600" },
            problem: "nginx's user www-data may not connect to",
            cure: "IREPORTER_SOCKET_GROUP=www-data"
        ),
        Break(
            name: "socket for everyone",
            apply: { $0.environment["IREPORTER_SOCKET_MODE"] = "0666" },
            problem: "every user of this machine can act as nginx",
            cure: "IREPORTER_SOCKET_MODE=0660"
        ),
        Break(
            name: "port for everyone",
            apply: { $0.environment["IREPORTER_LISTEN"] = "0.0.0.0:9000" },
            problem: "0.0.0.0:9000 can be reached by others",
            cure: "127.0.0.1"
        ),
        Break(
            name: "group that does not exist",
            apply: { $0.environment["IREPORTER_SOCKET_GROUP"] = "no-such-group" },
            problem: "there is no group no-such-group",
            cure: "groupadd"
        ),
        Break(
            name: "nginx's limit too small",
            apply: { $0.nginx = $0.nginx.replacing("client_max_body_size 21m", with: "client_max_body_size 2m") },
            problem: "client_max_body_size 2m is less than IREPORTER_MAX_BODY_BYTES (20971520)",
            cure: "client_max_body_size 21m"
        ),
        Break(
            name: "nginx's buffering off",
            apply: { $0.nginx = $0.nginx.replacing("request_buffering on", with: "request_buffering off") },
            problem: "fastcgi_request_buffering is off",
            cure: "fastcgi_request_buffering on"
        ),
        Break(
            name: "nginx with another socket",
            apply: { $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: "/run/php/php8.2-fpm.sock") },
            problem: "it leads to unix:/run/php/php8.2-fpm.sock",
            cure: "ireporter-upstream.conf"
        ),
        Break(
            name: "nginx without its file",
            apply: { $0.nginx = "http { include /nonexistent.conf; }" },
            problem: "cannot read /nonexistent.conf",
            cure: "--nginx"
        ),
    ]
}

extension Sandbox {
    /// Sets the permission bits of something in the folder.
    fileprivate func allow(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
}
