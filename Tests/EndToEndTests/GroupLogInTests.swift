import TestSupport
import Testing

@testable import ContractSuite

/// Many who log in at the same moment, looked up together, each get their own account and session.
@Suite struct GroupLogInTests {
    @Test(arguments: [Schema.legacy, .current])
    func everyoneIsWhoTheyAre(schema: Schema) throws {
        let folder = try Sandbox()
        let settings = [
            "IREPORTER_PASSWORDS": "plain", "IREPORTER_LOGIN_ATTEMPTS": "0",
            "IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))",
        ]
        let site = try Site(schema, on: Servers.utf8mb4(), settings: settings)
        let url = site.url
        try site.sql("INSERT INTO login (username, pass) SELECT CONCAT('u', seq), CONCAT('p', seq) FROM seq_1_to_60")
        let lock = try TableLock(site)
        let crowd = Crowd(60) { number in
            var client = try SiteClient(url)
            let user = number + 1
            let isWrong = user % 7 == 0
            let reply = try client.post([
                "command": "login", "username": "U\(user)", "password": isWrong ? "p\(user + 1)" : "p\(user)",
            ])
            #expect(
                reply
                    == (isWrong
                        ? #"{"error":"Authorization failed"}"#
                        : #"{"result":[{"IdUser":"\#(user)","username":"u\#(user)"}]}"#)
            )
            let upload = try client.upload(Sample.baseline, title: "of u\(user)")
            #expect(upload == (isWrong ? #"{"error":"Authorization required"}"# : #"{"successful":1}"#))
        }
        // All but those of the groups that wait for the tables already.
        var last = ""
        let wait = waitUntil(within: 30) {
            last = (try? site.run(["status", "--json"]).standardOutput) ?? ""
            let count = last.split(separator: #""waiting_shared_requests":"#).dropFirst().first?.prefix { $0 != "," }
            return count.flatMap { Int($0) } ?? 0 >= 20
        }
        #expect(wait, "\(last)")
        try lock.release()
        _ = try crowd.wait()
        #expect(
            try site.sql("SELECT COUNT(*) FROM photos WHERE title = CONCAT('of u', IdUser)") == "52",
            "each photo is its sender's"
        )
    }
}
