import TestSupport
import Testing

@testable import ContractSuite

/// The whole contract suite against the worker behind nginx, on each kind of table and server it has to work with.
@Suite(.serialized) struct ContractTests {
    private func expectContract(
        on site: Site,
        _ options: ContractRunner.Options = .init(),
        atLeast count: Int = 480,
        except exempt: (String) -> Bool = { _ in false }
    ) throws {
        let results = ContractRunner(url: try ContractURL(site.url), options: options).run()
        #expect(results.filter { $0.outcome == .held }.count >= count)
        for result in results where result.isFailure && !exempt(result.name) {
            guard case .differs(let evidence) = result.outcome else {
                Issue.record("\(result.name): \(result.outcome)")
                continue
            }
            let expected = String(decoding: evidence.expected.prefix(300), as: UTF8.self)
            let got = String(decoding: evidence.got.prefix(300), as: UTF8.self)
            Issue.record("\(result.name): \(evidence.what): expected \(expected), got \(got)")
        }
    }

    @Test func holdsOnTheCurrentSchema() throws {
        try expectContract(on: Site(.current, on: Servers.utf8mb4()))
    }

    @Test func holdsWithSessionsInTheDatabase() throws {
        let settings = ["IREPORTER_SESSION_STORE": "database"]
        try expectContract(on: Site(.current, on: Servers.utf8mb4(), settings: settings))
        try expectContract(on: Site(.current, on: Servers.latin1(), workers: 2, settings: settings))
    }

    /// Tables whose passwords have no room for hashes, which the pair's endpoints need.
    private static let pair = "pair/"

    @Test func holdsOnTheLegacyTables() throws {
        try expectContract(on: Site(.legacy, on: Servers.latin1()), atLeast: 450) { $0.hasPrefix(Self.pair) }
    }

    /// Debian's MariaDB is configured for utf8mb4, whatever the tables are.
    @Test func holdsOnLegacyTablesOfAServerInUTF8() throws {
        // A character that the columns cannot hold is refused there, by the original as well.
        try expectContract(on: Site(.legacy, on: Servers.utf8mb4()), atLeast: 450) {
            $0.hasPrefix("charset/") || $0.hasPrefix(Self.pair)
        }
    }

    @Test func holdsOnAServerThatIsNotStrict() throws {
        var options = MariaDBServer.Options(characterSet: "latin1")
        options.sqlMode = ""
        // Such a server shortens a title that is too long, for the original as well.
        try expectContract(on: Site(.legacy, on: .shared(options)), atLeast: 450) {
            $0.contains("title-too-long") || $0.hasPrefix(Self.pair)
        }
    }

    @Test func everyEndpointAsksForAnAPIKey() throws {
        var options = ContractRunner.Options()
        options.apiKey = "second key/+ü"
        let settings = [
            "IREPORTER_API_KEYS": "first,second key/+ü", "IREPORTER_API_KEY_REASON": "Please update the app.",
        ]
        try expectContract(on: Site(.current, on: Servers.utf8mb4(), settings: settings), options, atLeast: 5)
    }

    @Test func passwordsAreNotGuessedWithoutEnd() throws {
        var options = ContractRunner.Options()
        options.attempts = 25
        let settings = ["IREPORTER_LOGIN_ATTEMPTS": "25", "IREPORTER_ATTEMPT_SECONDS": "3600"]
        options.only = "attempt"
        try expectContract(on: Site(.current, on: Servers.utf8mb4(), settings: settings), options, atLeast: 1)
    }
}
