import TestSupport
import Testing

@testable import ContractSuite

/// What waits too long for its turn gets an error, not a hang.
@Suite(.serialized) struct WaitingTests {
    @Test func eachCommandThatWaitsTooLongIsToldSo() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_HEAVY_WORKERS": "1"])
        var bob = try site.client()
        try bob.register("bob")
        let (url, jar) = (site.url, bob.jar)
        // The only thread for heavy work waits for the database.
        let lock = try TableLock(site)
        let first = Crowd(1) { _ in
            var client = try SiteClient(url)
            return try client.post(["command": "login", "username": "bob", "password": "secret"])
        }
        #expect(waitUntil(within: 30) { lock.waiting == 1 })
        let waiting = Crowd(5) { number in
            var client = try SiteClient(url, jar: jar)
            return switch number {
            case 0: try client.post(["command": "login", "username": "bob", "password": "secret"])
            case 1: try client.post(["command": "register", "username": "eve", "password": "secret"])
            case 2: try client.upload(Sample.baseline)
            case 3:
                try client.send(Self.pair("jsonlogin2.php", [("username", "bob"), ("password", "secret")])).text
            default:
                try client.send(
                    Self.pair("jsonsignup.php", [("username", "eve"), ("password", "x"), ("c_password", "x")])
                ).text
            }
        }
        // Whatever is not heavy goes on.
        var other = try site.client()
        #expect(try other.post(["command": "logout"]) == "")
        let busy = "The server is busy. Try again later."
        #expect(
            try waiting.wait().sorted() == [
                #"{"error":"\#(busy)"}"#, #"{"error":"\#(busy)"}"#, #"{"error":"Upload on server problem"}"#,
                #"{"success":0,"error_message":"\#(busy)"}"#, #"{"success":0,"error_message":"\#(busy)"}"#,
            ]
        )
        #expect(!first.isFinished, "they did not wait for their turn")
        try lock.release()
        _ = try first.wait()
        #expect(try site.uploadedFiles() == [])
        #expect(try site.sql("SELECT GROUP_CONCAT(username) FROM login") == "bob")
        let log = site.worker.standardError
        for command in ["login", "register", "log-in", "sign-up", "upload"] {
            #expect(
                log.split(separator: "\n").filter {
                    $0.hasPrefix("ireporter: \(command) 127.0.0.1 ") && $0.contains(": declined, too much is waiting (")
                }.count == 1,
                "\(command)"
            )
        }
        #expect(
            try bob.post(["command": "login", "username": "bob", "password": "secret"])
                == #"{"result":[{"IdUser":"1","username":"bob"}]}"#
        )
    }

    @Test func whoLeavesWhileWaitingHasUsedNoAttempt() throws {
        let settings = [
            "IREPORTER_HEAVY_WORKERS": "1", "IREPORTER_LOGIN_ATTEMPTS": "3", "IREPORTER_ATTEMPT_SECONDS": "86400",
        ]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        var bob = try site.client()
        try bob.register("bob")
        let url = try ContractURL(site.url)
        let lock = try TableLock(site)
        let first = Crowd(1) { _ in
            var client = SiteClient(url)
            return try client.post(["command": "login", "username": "bob", "password": "secret"])
        }
        #expect(waitUntil(within: 30) { lock.waiting == 1 })
        let wrong = [("command", "login"), ("username", "bob"), ("password", "wrong")]
        let request = ContractRequest(body: .form(wrong.map { ($0, Template(bytes: $1.utf8)) }))
        let wire = try #require(WireRequest(request, to: url, scope: Scope(prefix: ""), jar: CookieJar()))
        for _ in 1...2 {
            #expect(throws: (any Error).self, "it waits") {
                var leaver = HTTPClient(url: url, timeout: .seconds(1))
                _ = try leaver.exchange(wire)
            }
        }
        try lock.release()
        #expect(try first.wait() == [#"{"result":[{"IdUser":"1","username":"bob"}]}"#])
        var guesser = try site.client()
        let replies = try (1...4).map { _ in
            try guesser.post(["command": "login", "username": "bob", "password": "wrong"])
        }
        let failed = #"{"error":"Authorization failed"}"#
        #expect(replies == [failed, failed, failed, #"{"error":"Too many attempts. Try again later."}"#])
    }

    private static func pair(_ script: String, _ fields: [(String, String)]) -> ContractRequest {
        ContractRequest(
            path: Template(bytes: script.utf8),
            body: .form(fields.map { ($0, Template(bytes: $1.utf8)) })
        )
    }
}
