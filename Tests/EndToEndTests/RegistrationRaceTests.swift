import TestSupport
import Testing

@testable import ContractSuite

@Suite struct RegistrationRaceTests {
    @Test(arguments: [Schema.legacy, .current])
    func oneRowOfFiftyRegistrationsOfOneNameAtTwoWorkers(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4(), workers: 2)
        let url = try ContractURL(site.url)
        let client = HTTPClient(url: url, timeout: .seconds(60))
        for round in 1...4 {
            let request = ContractRequest(
                body: .form(
                    [("command", "register"), ("username", "racer\(round)"), ("password", "x")].map {
                        ($0, Template(bytes: $1.utf8))
                    }
                )
            )
            let wire = try #require(WireRequest(request, to: url, scope: Scope(prefix: ""), jar: CookieJar()))
            let replies = try client.exchange(wire, copies: 50).map(\.text)
            #expect(replies.filter { $0 == #"{"error":"Username already exists"}"# }.count == 49)
            #expect(replies.filter { $0.hasSuffix(#"","username":"racer\#(round)"}]}"#) }.count == 1)
            #expect(try site.sql("SELECT COUNT(*) FROM login WHERE username = 'racer\(round)'") == "1")
        }
    }
}
