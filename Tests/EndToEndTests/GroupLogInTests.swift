import TestSupport
import Testing

@testable import ContractSuite

/// Many who log in at the same moment are looked up together.
@Suite struct GroupLogInTests {
    private func site(_ schema: Schema, attempts: Int = 0) throws -> Site {
        let settings = [
            "IREPORTER_PASSWORDS": "plain", "IREPORTER_LOGIN_ATTEMPTS": "\(attempts)",
            "IREPORTER_ATTEMPT_SECONDS": "86400",
            // On a machine with many cores, too, some are left that receive those who wait.
            "IREPORTER_WORKERS": "64",
        ]
        let site = try Site(schema, on: Servers.utf8mb4(), settings: settings)
        try site.sql("INSERT INTO login (username, pass) SELECT CONCAT('u', seq), CONCAT('p', seq) FROM seq_1_to_60")
        return site
    }

    /// Lets so many log in while the tables are locked, and some of them be looked up together.
    private func together<Result: Sendable>(
        _ site: Site,
        _ count: Int,
        _ body: @escaping @Sendable (SiteClient, Int) throws -> Result
    ) throws -> [Result] {
        let url = site.url
        let lock = try TableLock(site)
        let crowd = Crowd(count) { try body(SiteClient(url), $0) }
        func groups() throws -> Int? {
            let list = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%username <=> %'"
            return Int(try site.sql("\(list) AND DB = '\(site.database)' AND ID <> CONNECTION_ID()"))
        }
        #expect(waitUntil(within: 15) { (try? groups()) ?? 0 > 0 }, "nobody is looked up together")
        try lock.release()
        return try crowd.wait()
    }

    private static let failed = #"{"error":"Authorization failed"}"#

    @Test(arguments: [Schema.legacy, .current])
    func everyoneIsWhoTheyAre(schema: Schema) throws {
        let site = try site(schema)
        _ = try together(site, 60) { client, number in
            var client = client
            let user = number + 1
            let isWrong = user % 7 == 0
            let reply = try client.post([
                "command": "login", "username": "U\(user)", "password": isWrong ? "p\(user + 1)" : "p\(user)",
            ])
            let welcome = #"{"result":[{"IdUser":"\#(user)","username":"u\#(user)"}]}"#
            #expect(reply == (isWrong ? Self.failed : welcome))
            let upload = try client.upload(Sample.baseline, title: "of u\(user)")
            #expect(upload == (isWrong ? #"{"error":"Authorization required"}"# : #"{"successful":1}"#))
        }
        #expect(
            try site.sql("SELECT COUNT(*) FROM photos WHERE title = CONCAT('of u', IdUser)") == "52",
            "each photo is its sender's"
        )
    }

    @Test func attemptsAreCounted() throws {
        let site = try site(.legacy, attempts: 60)
        let welcome = #"{"result":[{"IdUser":"1","username":"u1"}]}"#
        func logIn(_ password: String) throws -> [String] {
            try together(site, 60) { client, _ in
                var client = client
                return try client.post(["command": "login", "username": "u1", "password": password])
            }
        }
        // Right ones use nothing up, wrong ones do.
        #expect(try logIn("p1") == Array(repeating: welcome, count: 60))
        #expect(try logIn("p2") == Array(repeating: Self.failed, count: 60))
        var client = try site.client()
        let reply = try client.post(["command": "login", "username": "u1", "password": "p2"])
        #expect(reply == #"{"error":"Too many attempts. Try again later."}"#)
    }
}
