import FastCGI
import MariaDB
import PHPSemantics
import Photos
import Testing

@testable import IReporter

@Suite struct SettingsTests {
    private func settings(_ variables: [String: String]) throws -> Settings {
        try Settings(environment: variables, processors: 2)
    }

    private func complaint(_ variables: [String: String]) -> String? {
        do {
            _ = try settings(variables)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func everyVariableIsRead() throws {
        let environment = [
            "IREPORTER_LISTEN": "unix:/run/ireporter.sock",
            "IREPORTER_SOCKET_MODE": "0600",
            "IREPORTER_SOCKET_GROUP": "www-data",
            "IREPORTER_WORKERS": "3",
            "IREPORTER_HEAVY_WORKERS": "1",
            "IREPORTER_STOP_SECONDS": "7",
            "IREPORTER_DB_HOST": "db.example",
            "IREPORTER_DB_PORT": "3307",
            "IREPORTER_DB_SOCKET": "/run/mysqld/mysqld.sock",
            "IREPORTER_DB_USER": "reporter",
            "IREPORTER_DB_PASSWORD": "secret",
            "IREPORTER_DB_NAME": "iReport",
            "IREPORTER_DB_OPTION_FILE": "/etc/my.cnf",
            "IREPORTER_DB_CHARSET": "latin1",
            "IREPORTER_DB_TLS_CA": "/etc/ca.pem",
            "IREPORTER_STREAM_CACHE": "off",
            "IREPORTER_UPLOAD_DIR": "/srv/upload",
            "IREPORTER_UPLOAD_MODE": "0640",
            "IREPORTER_UPLOAD_GROUP": "root",
            "IREPORTER_SESSION_STORE": "files:/var/lib/php/sessions",
            "IREPORTER_SESSION_LIFETIME": "3600",
            "IREPORTER_SESSION_COOKIE_MAX_AGE": "86400",
            "IREPORTER_MAX_BODY_BYTES": "1048576",
            "IREPORTER_MAX_PIXELS": "1000000",
            "IREPORTER_THUMB_SIDE": "180",
            "IREPORTER_THUMB_FIT": "stretch",
            "IREPORTER_STRIP_LOCATION": "off",
            "IREPORTER_PASSWORDS": "plain",
            "IREPORTER_SCRYPT": "ln=13,r=8,p=10",
            "IREPORTER_API_KEYS": "one,two",
            "IREPORTER_API_KEY_REASON": "Please update.",
            "IREPORTER_LOGIN_ATTEMPTS": "5",
            "IREPORTER_ACCOUNT_ATTEMPTS": "50",
            "IREPORTER_ATTEMPT_SECONDS": "60",
            "IREPORTER_REQUEST_SECONDS": "45",
            "IREPORTER_STATUS_LISTEN": "unix:/run/status.sock",
            "IREPORTER_SLOW_MS": "250",
            "IREPORTER_ACCESS_LOG": "/var/log/ireporter/access.log",
            "IREPORTER_ACCESS_FORMAT": "json",
            "IREPORTER_LOG_TIME": "on",
            "PATH": "/bin",
        ]
        // The password's file has a test of its own.
        let all = Set(Settings.variables.keys).subtracting(["DB_PASSWORD_FILE"]).map { "IREPORTER_" + $0 }
        #expect(Set(environment.keys) == Set(all + ["PATH"]))
        let settings = try settings(environment)
        #expect(settings.listen == .unix(path: "/run/ireporter.sock"))
        #expect(settings.socketMode == 0o600)
        #expect(settings.socketGroup == "www-data")
        #expect(settings.server.workers == 3)
        #expect(settings.server.heavyWorkers == 1)
        #expect(settings.stopSeconds == 7)
        #expect(settings.database.host == "db.example")
        #expect(settings.database.port == 3307)
        #expect(settings.database.socketPath == "/run/mysqld/mysqld.sock")
        #expect(settings.database.user == "reporter")
        #expect(settings.database.password == "secret")
        #expect(settings.database.database == "iReport")
        #expect(settings.database.optionFile == "/etc/my.cnf")
        #expect(settings.database.characterSet == "latin1")
        #expect(settings.database.encryption == .verified(authorityFile: "/etc/ca.pem"))
        #expect(settings.keepsStream == false)
        #expect(settings.uploadDirectory == "/srv/upload")
        #expect(settings.uploadMode == 0o640)
        #expect(settings.uploadGroup == 0)
        #expect(settings.sessionStore == .files(directory: "/var/lib/php/sessions"))
        #expect(settings.sessionLifetime == 3600)
        #expect(settings.sessionCookieMaxAge == 86_400)
        #expect(settings.form.bodyBytes == 1_048_576)
        #expect(settings.photo.bytes == 1_048_576)
        #expect(settings.photo.pixels == 1_000_000)
        #expect(settings.thumbnail == ThumbnailOptions(side: 180, fit: .stretch))
        #expect(settings.stripLocation == false)
        #expect(settings.storesPlainPasswords)
        #expect(settings.scrypt.description == "ln=13,r=8,p=10")
        #expect(settings.apiKeys == [Array("one".utf8), Array("two".utf8)])
        #expect(settings.apiKeyReason == "Please update.")
        #expect(settings.attempts == .init(perAddress: 5, perAccount: 50, refillSeconds: 60))
        #expect(settings.server.requestLimit == 45)
        #expect(settings.operation.statusListen == .unix(path: "/run/status.sock"))
        #expect(settings.operation.slowMilliseconds == 250)
        #expect(settings.operation.accessLog == .file("/var/log/ireporter/access.log"))
        #expect(settings.operation.accessFormat == .json)
        #expect(settings.operation.logsTime)
        try settings.requireComplete()
    }

    @Test func sessionsMayBeInTheDatabase() throws {
        let settings = try settings([
            "IREPORTER_SESSION_STORE": "database", "IREPORTER_SESSION_COOKIE_MAX_AGE": "0",
            "IREPORTER_DB_NAME": "x", "IREPORTER_UPLOAD_DIR": "/x",
        ])
        #expect(settings.sessionStore == .database)
        #expect(settings.sessionCookieMaxAge == nil)
        try settings.requireComplete()
    }

    @Test func defaultsAreTheContracts() throws {
        let settings = try settings([:])
        #expect(settings.form.bodyBytes == 20 * 1024 * 1024)
        #expect(settings.form.fields == 1000)
        #expect(settings.form.files == 20)
        #expect(settings.photo.pixels == 50_000_000)
        #expect(settings.thumbnail == ThumbnailOptions(side: 90, fit: .crop, quality: 85))
        #expect(settings.sessionLifetime == 1440)
        #expect(settings.sessionCookieMaxAge == nil)
        #expect(settings.socketMode == 0o660)
        #expect(settings.stripLocation)
    }

    @Test(arguments: [
        (
            "IREPORTER_SOCKET_MODE", "0999",
            "IREPORTER_SOCKET_MODE is '0999': expected permission bits in octal, such as 0660"
        ),
        (
            "IREPORTER_UPLOAD_GROUP", "nobody's",
            "IREPORTER_UPLOAD_GROUP is 'nobody's', which is no group of this machine"
        ),
        ("IREPORTER_WORKERS", "0", "IREPORTER_WORKERS is '0': expected a whole number from 1 to 1024"),
        ("IREPORTER_WORKERS", "many", "IREPORTER_WORKERS is 'many': expected a whole number from 1 to 1024"),
        ("IREPORTER_THUMB_FIT", "fill", "IREPORTER_THUMB_FIT is 'fill': expected crop or stretch"),
        (
            "IREPORTER_API_KEYS", "",
            "IREPORTER_API_KEYS holds no key (expected keys separated by commas; unset it to ask for none)"
        ),
        ("IREPORTER_PASSWORDS", "md5", "IREPORTER_PASSWORDS is 'md5': expected scrypt or plain"),
        (
            "IREPORTER_SCRYPT", "ln=30,r=8,p=1",
            "IREPORTER_SCRYPT is 'ln=30,r=8,p=1': expected for instance ln=14,r=8,p=5, within 256 MiB of memory"
        ),
        (
            "IREPORTER_ACCESS_LOG", "access.log",
            "IREPORTER_ACCESS_LOG is 'access.log': expected off, stderr or an absolute path"
        ),
        ("IREPORTER_ACCESS_FORMAT", "xml", "IREPORTER_ACCESS_FORMAT is 'xml': expected combined or json"),
        (
            "IREPORTER_STATUS_LISTEN", "status",
            "IREPORTER_STATUS_LISTEN is malformed: cannot listen on 'status': expected unix:/PATH or HOST:PORT"
        ),
        ("IREPORTER_STRIP_LOCATION", "", "IREPORTER_STRIP_LOCATION is '': expected on or off"),
        (
            "IREPORTER_SESSION_STORE", "/var/lib/php/sessions",
            "IREPORTER_SESSION_STORE is '/var/lib/php/sessions': expected files:DIR with an absolute folder, or database"
        ),
        (
            "IREPORTER_SESSION_COOKIE_MAX_AGE", "off",
            "IREPORTER_SESSION_COOKIE_MAX_AGE is 'off': expected a whole number from 0 to 31536000"
        ),
        (
            "IREPORTER_LISTEN", "9000",
            "IREPORTER_LISTEN is malformed: cannot listen on '9000': expected unix:/PATH or HOST:PORT"
        ),
        (
            "IREPORTER_DB_PASSWORD_FILE", "/nonexistent",
            "IREPORTER_DB_PASSWORD_FILE names /nonexistent, which \(SystemUser.current) cannot read: "
                + "No such file or directory"
        ),
        (
            "IREPORTER_DB_PASSWORD_FILE", "/",
            "IREPORTER_DB_PASSWORD_FILE names /, which \(SystemUser.current) cannot read: Is a directory"
        ),
        (
            "IREPORTER_DB_PASSWORD_FILE", "/dev/zero",
            "IREPORTER_DB_PASSWORD_FILE names /dev/zero, which \(SystemUser.current) cannot read: "
                + "it is longer than 65536 bytes"
        ),
        (
            "IREPORTER_LISTEN", "unix:run/ireporter.sock",
            "IREPORTER_LISTEN is malformed: cannot listen on 'unix:run/ireporter.sock': "
                + "expected unix:/PATH or HOST:PORT"
        ),
        (
            "IREPORTER_STATUS_LISTEN", "unix:/" + String(repeating: "x", count: 119),
            "IREPORTER_STATUS_LISTEN is malformed: cannot listen on '/\(String(repeating: "x", count: 119))': "
                + "the path is too long, 120 bytes, of which a socket's may have 107"
        ),
        (
            "IREPORTER_WORKERS", "4\r",
            "IREPORTER_WORKERS ends in a carriage return, as the lines of a file with Windows line ends do "
                + #"(sed -i 's/\r$//' FILE takes them away)"#
        ),
        (
            "IREPORTER_DB_PASSWORD", "secret\r",
            "IREPORTER_DB_PASSWORD ends in a carriage return, as the lines of a file with Windows line ends do "
                + #"(sed -i 's/\r$//' FILE takes them away)"#
        ),
        (
            "IREPORTER_PASSWORDS", "\u{1B}[2J\nplain\u{202E}",
            #"IREPORTER_PASSWORDS is '\x1b[2J\x0aplain\u{202e}': expected scrypt or plain"#
        ),
        ("IREPORTER_\r", "x", #"IREPORTER_\x0d is not a setting"#),
        (
            "IREPORTER_DB_CHARSET", "latin1; x",
            "IREPORTER_DB_CHARSET is 'latin1; x': expected a character set such as latin1 or utf8mb4"
        ),
        ("IREPORTER_UPLOADDIR", "/srv", "IREPORTER_UPLOADDIR is not a setting (did you mean IREPORTER_UPLOAD_DIR?)"),
        ("IREPORTER_NOTHING_LIKE_IT", "1", "IREPORTER_NOTHING_LIKE_IT is not a setting"),
    ])
    func whatIsWrongIsNamed(name: String, value: String, expected: String) {
        #expect(complaint([name: value]) == expected)
    }

    @Test func passwordAndItsFileContradictEachOther() throws {
        let both = ["IREPORTER_DB_PASSWORD": "secret", "IREPORTER_DB_PASSWORD_FILE": "/nonexistent"]
        #expect(
            complaint(both)
                == "IREPORTER_DB_PASSWORD and IREPORTER_DB_PASSWORD_FILE are both set (take one of them away)"
        )
        let empty = try settings(["IREPORTER_DB_PASSWORD": "", "IREPORTER_DB_PASSWORD_FILE": "/dev/null"])
        #expect(empty.database.password == "")
    }

    @Test func whatIsMissingIsNamed() throws {
        var variables = ["IREPORTER_DB_NAME": "x", "IREPORTER_UPLOAD_DIR": "/x", "IREPORTER_SESSION_STORE": "files:/x"]
        try settings(variables).requireComplete()
        for (name, expected) in [
            ("IREPORTER_DB_NAME", "IREPORTER_DB_NAME is not set (the database of the tables login and photos)"),
            ("IREPORTER_UPLOAD_DIR", "IREPORTER_UPLOAD_DIR is not set (the folder that holds the photos)"),
            (
                "IREPORTER_SESSION_STORE",
                "IREPORTER_SESSION_STORE is not set (files:DIR, for instance files:/var/lib/php/sessions, or database)"
            ),
        ] {
            let value = variables.removeValue(forKey: name)
            let incomplete = try settings(variables)
            #expect {
                try incomplete.requireComplete()
            } throws: {
                "\($0)" == expected
            }
            variables[name] = value
        }
    }
}
