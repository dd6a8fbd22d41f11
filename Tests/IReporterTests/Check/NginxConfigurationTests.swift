import FastCGI
import Glibc
import Testing

@testable import IReporter

@Suite struct NginxConfigurationTests {
    @Test(arguments: [
        ("a b;", [NginxToken.word("a"), .word("b"), .end]), ("# c ; {\na;", [.word("a"), .end]),
        ("a{b;}", [.word("a"), .open, .word("b"), .end, .close]),
        (#"a "b ; {" 'c "d"';"#, [.word("a"), .word("b ; {"), .word(#"c "d""#), .end]),
        (#"a "b\"c";"#, [.word("a"), .word(#"b"c"#), .end]), ("a ${b}c;", [.word("a"), .word("${b}c"), .end]),
        (#"location ~ \.php$ {"#, [.word("location"), .word("~"), .word(#"\.php$"#), .open]),
        ("a#b;", [.word("a#b"), .end]), ("a", [.word("a")]), ("", []),
    ])
    func configurationIsSplitAsNginxDoes(text: String, tokens: [NginxToken]) {
        #expect(NginxToken.tokens(of: Array(text.utf8)) == tokens)
    }

    @Test func includedFilesStandInTheirPlaces() throws {
        let folder = TemporaryConfiguration([
            "nginx.conf": "user nobody;\nhttp { include none/*.conf; }"
        ])
        let nginx = try NginxConfiguration(file: folder.path("nginx.conf"))
        #expect(nginx.user == "nobody")
        #expect(nginx.directives.last?.block.map(\.name) == [])
        let direct = TemporaryConfiguration(["nginx.conf": "include *.part;", "a.part": "a 1;", "b.part": "b { c; }"])
        let read = try NginxConfiguration(file: direct.path("nginx.conf"))
        #expect(read.directives.map(\.name) == ["a", "b"])
        #expect(read.directives[1].block.map(\.name) == ["c"])
    }

    @Test(arguments: [
        ("a {", "it ends in the middle of a directive or block"),
        ("a", "it ends in the middle of a directive or block"),
        ("}", "a } stands where none may"), ("{ }", "a block has no name"), ("a { b }", "a } stands where none may"),
        ("include nginx.conf;", "files include each other without end"),
        (String(repeating: "a { ", count: 100_000), "more than 100 blocks stand in one another"),
    ])
    func malformedFileIsNamed(text: String, what: String) {
        let folder = TemporaryConfiguration(["nginx.conf": text])
        let path = folder.path("nginx.conf")
        #expect(throws: NginxConfiguration.Failure.malformed(path, what)) {
            _ = try NginxConfiguration(file: path)
        }
    }

    @Test func fileThatIsMissingIsNamed() {
        #expect(throws: NginxConfiguration.Failure.unreadable("/nonexistent", "No such file or directory")) {
            _ = try NginxConfiguration(file: "/nonexistent")
        }
    }

    @Test(arguments: [
        ("1m", 1 << 20 as Int?), ("21M", 21 << 20), ("0", 0), ("512k", 512 << 10), ("2g", 2 << 30), ("x", nil),
        ("9223372036854775807", .max), ("9223372036854775808", .max), ("9999999999g", .max),
        ("8589934591g", 8_589_934_591 << 30),
        ("-1m", nil), ("m", nil),
    ])
    func sizesAreNginxs(text: String, bytes: Int?) {
        #expect(NginxCheck.bytes(text) == bytes)
    }

    @Test(arguments: [
        ("60", 60 as Int?), ("5s", 5), ("2m", 120), ("1500ms", 1), ("1h", 3600), ("x", nil),
        ("9999999999999999h", .max), ("99999999999999999999", .max), ("-1s", nil),
    ])
    func timesAreNginxs(text: String, seconds: Int?) {
        #expect(NginxCheck.seconds(text) == seconds)
    }
}

@Suite struct NginxCheckTests {
    private static let upstream = "upstream up { server unix:/run/w.sock; keepalive 4; }"
    private static let parameters = ["REQUEST_METHOD", "CONTENT_TYPE", "CONTENT_LENGTH", "SCRIPT_NAME", "REMOTE_ADDR"]
        .map { "fastcgi_param \($0) x;" }.joined()
    private static let pages = "error_page 413 =200 @a; error_page 500 502 503 504 =200 @b;"
    private static let rest = "fastcgi_keep_conn on; client_max_body_size 21m; fastcgi_read_timeout 90s;"

    /// The problems and advices about a `location` with some directives, in a server with some others.
    private func findings(
        _ location: String,
        server: String = "alias /srv/upload/x;",
        upstream: String = Self.upstream
    ) throws -> [String] {
        let text = "http { \(upstream) server { \(server) location = /i/ { \(location) fastcgi_pass up; } } }"
        let folder = TemporaryConfiguration(["nginx.conf": text])
        let settings = try Settings(
            environment: ["IREPORTER_LISTEN": "unix:/run/w.sock", "IREPORTER_UPLOAD_DIR": "/srv/upload"],
            processors: 2
        )
        return NginxCheck(settings, try NginxConfiguration(file: folder.path("nginx.conf"))).findings()
            .filter { $0.verdict != .fine }.map(\.text)
    }

    @Test func soundConfigurationHasNoFinding() throws {
        #expect(try findings(Self.parameters + Self.pages + Self.rest) == [])
    }

    /// With a socket that systemd hands over nothing names its address, and other sockets are none of the worker's.
    @Test(arguments: ["unix:/run/ireporter/ireporter.sock", "unix:/run/other.sock"])
    func inheritedSocketIsToldFromThatOfTheStatusAndOfPHP(socket: String) throws {
        let php = socket.contains("other") ? "" : "location /php { fastcgi_pass unix:/run/php.sock; }"
        let folder = TemporaryConfiguration([
            "nginx.conf": """
            http {
                upstream up { server \(socket); keepalive 4; }
                server {
                    alias /srv/upload/x;
                    location = /i/ { \(Self.parameters)\(Self.pages)\(Self.rest) fastcgi_pass up; }
                    location = /i/status { fastcgi_pass unix:/run/status.sock; }
                    \(php)
                }
            }
            """
        ])
        let settings = try Settings(
            environment: ["IREPORTER_STATUS_LISTEN": "unix:/run/status.sock", "IREPORTER_UPLOAD_DIR": "/srv/upload"],
            processors: 2
        )
        let findings = NginxCheck(settings, try NginxConfiguration(file: folder.path("nginx.conf"))).findings()
        #expect(
            findings.map(\.text) == [
                "/i/: limits, buffering and parameters go with the worker's", "photos are served from /srv/upload",
            ]
        )
        #expect(findings.allSatisfy { $0.verdict == .fine })
    }

    @Test func directivesAreInherited() throws {
        let inherited = "\(Self.parameters)\(Self.pages)\(Self.rest) root /srv;"
        #expect(try findings("", server: inherited) == [])
    }

    @Test func ownParametersReplaceTheInheritedOnes() throws {
        let found = try findings(
            "fastcgi_param REQUEST_METHOD x;" + Self.pages + Self.rest,
            server: Self.parameters + "root /srv;"
        )
        #expect(found == ["/i/: the worker is not told CONTENT_TYPE, CONTENT_LENGTH, SCRIPT_NAME, REMOTE_ADDR"])
    }

    @Test(arguments: [
        (
            "fastcgi_keep_conn on; fastcgi_read_timeout 90s;",
            "/i/: client_max_body_size 1m is less than IREPORTER_MAX_BODY_BYTES (20971520)"
        ),
        (
            "fastcgi_keep_conn on; client_max_body_size 21m; fastcgi_read_timeout 90s; fastcgi_request_buffering off;",
            "/i/: fastcgi_request_buffering is off, so a slow phone occupies a thread of the worker"
        ),
        (
            "client_max_body_size 0; fastcgi_read_timeout 90s;",
            "/i/: nginx makes a new connection for each request"
        ),
        (
            "fastcgi_keep_conn on; client_max_body_size 21m; fastcgi_read_timeout 5s;",
            "/i/: nginx waits 5 s for a reply, which may take 30 s (IREPORTER_REQUEST_SECONDS) after 20 s of waiting"
        ),
    ])
    func limitsAreCompared(directives: String, expected: String) throws {
        #expect(try findings(Self.parameters + Self.pages + directives) == [expected])
    }

    @Test func pagesInHTMLAreFound() throws {
        #expect(
            try findings(Self.parameters + Self.rest)
                == ["/i/: nginx answers 413 in HTML, which the apps take for a broken network"]
        )
    }

    @Test func poolIsMissed() throws {
        #expect(
            try findings(
                Self.parameters + Self.pages + Self.rest,
                upstream: "upstream up { server unix:/run/w.sock; }"
            ) == ["/i/: fastcgi_keep_conn has no effect without keepalive in the upstream"]
        )
    }

    @Test func anotherSocketIsNamed() throws {
        #expect(
            try findings("", upstream: "upstream up { server unix:/run/php.sock; }")
                == ["no fastcgi_pass leads to unix:/run/w.sock: it leads to unix:/run/php.sock"]
        )
    }

    @Test func siteOfPHPBesideASocketThatSystemdHandsOverIsNoneOfOurs() throws {
        let text = """
            http {
                upstream ireporter { server unix:/run/w.sock; keepalive 4; }
                server {
                    root /srv;
                    location ~ \\.php$ { fastcgi_pass unix:/run/php.sock; }
                    location = /i/ { \(Self.parameters + Self.pages + Self.rest) fastcgi_pass ireporter; }
                }
            }
            """
        let folder = TemporaryConfiguration(["nginx.conf": text])
        let settings = try Settings(environment: ["IREPORTER_UPLOAD_DIR": "/srv/upload"], processors: 2)
        let findings = NginxCheck(settings, try NginxConfiguration(file: folder.path("nginx.conf"))).findings()
        #expect(
            findings == [
                .fine("/i/: limits, buffering and parameters go with the worker's"),
                .fine("photos are served from /srv/upload"),
            ]
        )
    }

    @Test func anotherUploadFolderIsNoticed() throws {
        #expect(
            try findings(Self.parameters + Self.pages + Self.rest, server: "root /var/www/html;")
                == ["no alias or root leads to the upload folder /srv/upload"]
        )
    }
}

/// Files of a configuration, removed at the end.
private final class TemporaryConfiguration {
    private let folder: String
    private let names: [String]

    init(_ files: [String: String]) {
        var template = Array("/tmp/ireporter-nginx-XXXXXX".utf8CString)
        folder = unsafe String(cString: mkdtemp(&template))
        names = Array(files.keys)
        for (name, text) in files {
            let file = unsafe fopen("\(folder)/\(name)", "w")
            unsafe fputs(text, file)
            unsafe fclose(file!)
        }
    }

    deinit {
        for name in names { unsafe unlink("\(folder)/\(name)") }
        unsafe rmdir(folder)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }
}
