import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The log tells who did what and how it ended, and none of what clients want kept to themselves.
@Suite struct LogSecrecyTests {
    /// Part of every password, key and file here, and of nothing else.
    private static let mark = "S3CR3T"
    private static let password = "pass-\(mark)-\u{20ac}'\"\\"
    private static let key = "key-\(mark)"

    @Test(arguments: [Schema.legacy, .current])
    func logOfAllCommandsHoldsNoSecret(schema: Schema) throws {
        let site = try Site(
            schema,
            on: Servers.utf8mb4(),
            settings: [
                "IREPORTER_API_KEYS": Self.key, "IREPORTER_ACCESS_LOG": "stderr", "IREPORTER_ACCESS_FORMAT": "json",
                "IREPORTER_SLOW_MS": "1", "IREPORTER_LOGIN_ATTEMPTS": "8",
            ]
        )
        var client = try site.client()
        var sessions: Set<String> = []
        for step in [
            ["command=register", "username=bob"], ["command=login", "username=bob"],
            ["command=register", "username=bob"], ["command=register", "username="],
            // Neither fits its column.
            ["command=register", "username=\u{1f600}"],
            ["command=register", "username=eve", "password=\(String(repeating: Self.mark, count: 100))"],
            ["command=register", "username=eve", "password=\(Self.mark)\u{1f600}"],
            ["command=login", "username=bob", "password=not \(Self.password)"],
            ["command=login", "username=nobody"], ["command=login", "username=nobody", "APIKey=\(Self.key)x"],
            ["command=stream"], ["command=stream", "IdPhoto=1"], ["command=\(Self.mark)"],
            ["jsonsignup.php", "username=eve", "c_password=\(Self.password)"],
            ["jsonsignup.php", "username=eve", "c_password=\(Self.mark)"],
            ["jsonlogin2.php", "username=eve"], ["jsonlogin2.php", "username=eve", "password=not \(Self.mark)"],
            ["command=login", "username=bob"],
        ] {
            _ = try client.send(Self.form(step))
            client.jar.session.map { _ = sessions.insert($0) }
        }
        let photo = Sample.baseline + Array(Self.mark.utf8)
        #expect(try client.send(Self.upload(photo)).text == #"{"successful":1}"#)
        for file in [Array(Self.mark.utf8), Array(photo.prefix(200)), []] {
            #expect(try client.send(Self.upload(file)).text == #"{"error":"Upload malfunction"}"#)
        }
        let forged = "eve\r\nireporter: forged\u{1b}[31m\u{9b}2J\u{202e}\u{0}\"\\"
        for _ in 1...9 {
            _ = try client.send(Self.form(["command=login", "username=\(forged)"]))
        }
        // What the database says goes into the log as well.
        try site.sql("RENAME TABLE photos TO away, login TO gone")
        #expect(try client.send(Self.upload(photo)).text == #"{"error":"Upload database problem.Database error"}"#)
        for step in [
            ["command=register", "username=late"], ["command=stream"], ["jsonsignup.php", "username=late"],
            ["command=logout"],
        ] {
            _ = try client.send(Self.form(step))
        }
        #expect(site.worker.terminate() == 0)
        try expectNoSecret(site.worker, sessions)

        let lines = site.worker.standardError.split(separator: "\n").map(String.init)
        let outcomes = lines.filter {
            $0.contains(/^ireporter: (register|login|sign-up|log-in) 127\.0\.0\.1 ".*": .+ \(\d+ ms\)$/)
                || $0.contains(/^ireporter: upload 127\.0\.0\.1 user \d+: .+ \(\d+ ms\)$/)
        }
        for outcome in [
            #"register 127.0.0.1 "bob": ok, user 1 "#, #"register 127.0.0.1 "bob": the name is taken "#,
            #"register 127.0.0.1 "": refused: "#, #"login 127.0.0.1 "bob": ok, user 1 "#,
            #"login 127.0.0.1 "bob": wrong name or password "#, #"login 127.0.0.1 "nobody": wrong name or password "#,
            "upload 127.0.0.1 user 1: stored photo 1 ", "upload 127.0.0.1 user 1: the row was not stored: ",
            "upload 127.0.0.1 user 1: The file is not a JPEG or PNG ",
            #"login 127.0.0.1 "eve\x0d\x0aireporter: forged\x1b[31m\u{9b}2J\u{202e}\x00\"\\": wrong name or password "#,
            #"login 127.0.0.1 "eve\x0d\x0aireporter: forged\x1b[31m\u{9b}2J\u{202e}\x00\"\\": too many attempts "#,
        ] {
            #expect(outcomes.contains { $0.hasPrefix("ireporter: \(outcome)") }, "\(outcome)")
        }
        #expect(lines.allSatisfy { $0.hasPrefix("ireporter: ") || $0.hasPrefix("{") })
        #expect(!lines.contains { $0.hasPrefix("ireporter: forged") })
    }

    private func expectNoSecret(_ worker: WorkerProcess, _ sessions: Set<String>) throws {
        let text = worker.standardError + worker.standardOutput
        #expect(text.contains(#""command":"upload","outcome":"ok""#), "the access log is there")
        #expect(text.contains("ireporter: slow: "), "and the slow one")
        for line in text.split(separator: "\n") {
            #expect(!line.uppercased().contains(Self.mark), "\(line)")
        }
        #expect(!sessions.isEmpty)
        for session in sessions {
            #expect(!text.contains(session))
        }
        let isObeyed = text.unicodeScalars.contains { scalar in
            scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(!isObeyed, "nothing that a terminal would obey")
    }

    /// A form of `name=value` fields, with the password and the key unless they are among them; sent to the first
    /// field if that is a script's name.
    private static func form(_ fields: [String]) -> ContractRequest {
        var path = ""
        var pairs = [("APIKey", key), ("password", password)]
        for field in fields {
            if let equals = field.firstIndex(of: "=") {
                let name = String(field[..<equals])
                pairs.removeAll { $0.0 == name }
                pairs.append((name, String(field[field.index(after: equals)...])))
            } else {
                path = field
            }
        }
        return ContractRequest(
            path: Template(bytes: path.utf8),
            body: .form(pairs.map { ($0, Template(bytes: $1.utf8)) })
        )
    }

    private static func upload(_ photo: [UInt8]) -> ContractRequest {
        ContractRequest(
            body: .multipart(
                Multipart(parts: [
                    .field("command", "upload"), .field("APIKey", Template(bytes: key.utf8)),
                    .field("title", "Hills"), .file("file", photo),
                ])
            )
        )
    }
}
