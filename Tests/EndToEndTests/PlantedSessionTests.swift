import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Session files that somebody has put there by hand log nobody in, and the worker lives on.
@Suite struct PlantedSessionTests {
    private static let id = "planted0000000000000000000"
    private static let refused = #"{"error":"Authorization required"}"#

    /// A file's content, and whether it logs in user 1.
    struct Content: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var isLoggedIn = false

        init(_ name: String, _ text: String, isLoggedIn: Bool = false) {
            testDescription = name
            bytes = Array(text.utf8)
            self.isLoggedIn = isLoggedIn
        }
    }

    static let contents = [
        Content("as PHP writes it", #"IdUser|s:1:"1";"#, isLoggedIn: true),
        Content("after a look-alike", #"title|s:15:"IdUser|s:1:"2";";IdUser|s:1:"1";"#, isLoggedIn: true),
        Content("inside a string", #"title|s:15:"IdUser|s:1:"1";";"#),
        Content("inside a key of an array", #"cart|a:1:{s:15:"IdUser|s:1:"1";";i:1;}"#),
        Content("inside an array", #"cart|a:1:{s:6:"IdUser";s:1:"1";}"#),
        Content("inside an object", #"cart|O:8:"stdClass":1:{s:6:"IdUser";s:1:"1";}"#),
        Content("the end of another key", #"xIdUser|s:1:"1";"#),
        Content("in another case", #"iduser|s:1:"1";"#),
        Content("a string that ends too late", #"title|s:5:"a";IdUser|s:1:"1";"#),
        Content("a string that ends too early", #"title|s:1:"abc";IdUser|s:1:"1";"#),
        Content("a length that is negative", #"title|s:-1:"";IdUser|s:1:"1";"#),
        Content("a length beyond all memory", #"title|s:9223372036854775807:"";IdUser|s:1:"1";"#),
        Content("a length beyond 64 bits", #"title|s:18446744073709551617:"a";IdUser|s:1:"1";"#),
        Content("an array of more than there is", #"cart|a:2147483647:{i:0;i:1;}IdUser|s:1:"1";"#),
        Content("arrays in arrays", String(repeating: "a:1:{i:0;", count: 100_000)),
        Content("arrays in arrays of a key", "x|" + String(repeating: "a:1:{i:0;", count: 100_000)),
        Content("a length that lies about the id", #"IdUser|s:2:"1";"#),
        Content("cut off", #"IdUser|s:1:"1"#),
        Content("user 0", #"IdUser|s:1:"0";"#),
        Content("nobody", #"IdUser|N;"#),
        Content("empty", ""),
        Content("NUL", "\0\0\0\0IdUser|s:1:\"1\";"),
    ]

    private func site() throws -> Site {
        let site = try Site(.current, on: Servers.utf8mb4())
        var client = try site.client()
        #expect(try client.register("bob") == "1")
        return site
    }

    /// What an upload with the planted session's cookie is answered.
    private func upload(to site: Site) throws -> String {
        var client = try site.client()
        var request = ContractRequest(
            body: .multipart(Multipart(parts: [.field("command", "upload"), .file("file", Sample.baseline)]))
        )
        request.cookies = .header("PHPSESSID=\(Self.id)")
        return try client.send(request).text
    }

    private func path(in site: Site) -> String { "\(site.sessions)/sess_\(Self.id)" }

    @Test func onlyWhatPHPWouldTakeForALogInIsOne() throws {
        let site = try site()
        for content in Self.contents {
            try Data(content.bytes).write(to: URL(filePath: path(in: site)))
            #expect(
                try upload(to: site) == (content.isLoggedIn ? #"{"successful":1}"# : Self.refused),
                "\(content.testDescription)"
            )
        }
        #expect(try site.sql("SELECT GROUP_CONCAT(DISTINCT IdUser) FROM photos") == "1")
        try expectAlive(site)
    }

    @Test func whatIsNoFileOfOursIsNoSession() throws {
        let site = try site()
        let valid = #"IdUser|s:1:"1";"#
        let path = path(in: site)
        let elsewhere = site.sandbox.path("elsewhere")
        try site.sandbox.write(valid, to: "elsewhere")
        let plants: KeyValuePairs<String, () throws -> Void> = [
            "symbolic link": { unsafe symlink(elsewhere, path) },
            "symbolic link to nothing": { unsafe symlink("/nonexistent", path) },
            "symbolic link to itself": { unsafe symlink(path, path) },
            "second name of a file": { unsafe link(elsewhere, path) },
            "folder": { unsafe mkdir(path, 0o700) },
            "named pipe": { unsafe mkfifo(path, 0o600) },
            "device": { unsafe symlink("/dev/zero", path) },
            "huge file": {
                try Data("\(valid)x|s:2000000:\"\(String(repeating: "y", count: 2_000_000))\";".utf8)
                    .write(to: URL(filePath: path))
            },
            "huge file with a hole": {
                try Data(valid.utf8).write(to: URL(filePath: path))
                unsafe truncate(path, 1 << 40)
            },
        ]
        for (name, plant) in plants {
            try plant()
            #expect(try upload(to: site) == Self.refused, "\(name)")
            #expect(unsafe access(path, F_OK) == 0 || name.contains("link to"), "\(name): it was left alone")
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(site.sandbox.read("elsewhere") == valid)
        try expectAlive(site)
    }

    @Test func fileOfAnotherOwnerIsNoSession() throws {
        // Only root can give a file away.
        guard geteuid() == 0 else { return }
        let site = try site()
        try Data(#"IdUser|s:1:"1";"#.utf8).write(to: URL(filePath: path(in: site)))
        #expect(try upload(to: site) == #"{"successful":1}"#)
        unsafe chown(path(in: site), 65_534, 65_534)
        #expect(try upload(to: site) == Self.refused)
        try expectAlive(site)
    }

    /// Nobody can log in over a planted file either, nor have it written to.
    @Test func logInGoesAroundWhatIsPlanted() throws {
        let site = try site()
        let path = path(in: site)
        try site.sandbox.write("precious", to: "elsewhere")
        unsafe symlink(site.sandbox.path("elsewhere"), path)
        var client = try site.client()
        for command in ["login", "logout"] {
            var request = ContractRequest(
                body: .form(
                    [("command", "\(command)"), ("username", "bob"), ("password", "secret")].map {
                        ($0, Template(bytes: $1.utf8))
                    }
                )
            )
            request.cookies = .header("PHPSESSID=\(Self.id)")
            let reply = try client.send(request)
            let isLogIn = command == "login"
            #expect(reply.text == (isLogIn ? #"{"result":[{"IdUser":"1","username":"bob"}]}"# : ""))
            #expect(!reply.values(of: "Set-Cookie").contains { $0.contains(Self.id) })
        }
        #expect(site.sandbox.read("elsewhere") == "precious")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == site.sandbox.path("elsewhere"))
        try expectAlive(site)
    }

    private func expectAlive(_ site: Site) throws {
        var client = try site.client()
        #expect(try client.post(["command": "stream"]).hasPrefix(#"{"result":["#))
        #expect(site.worker.isRunning)
    }
}
