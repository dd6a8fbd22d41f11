import TestSupport
import Testing

@testable import ContractSuite

/// The whole contract suite against the worker behind nginx, on each kind of table and server it has to work with.
@Suite(.serialized) struct ContractTests {
    private func differences(on site: Site) throws -> [String] {
        let results = ContractRunner(url: try ContractURL(site.url)).run()
        #expect(results.count > 400)
        return results.filter(\.isFailure).map { result in
            guard case .differs(let evidence) = result.outcome else { return result.name }
            let expected = String(decoding: evidence.expected.prefix(300), as: UTF8.self)
            let got = String(decoding: evidence.got.prefix(300), as: UTF8.self)
            return "\(result.name): \(evidence.what): expected \(expected), got \(got)"
        }
    }

    @Test func holdsOnTheCurrentSchema() throws {
        #expect(try differences(on: Site(.current, on: Servers.utf8mb4())) == [])
    }

    @Test func holdsOnTheLegacyTables() throws {
        #expect(try differences(on: Site(.legacy, on: Servers.latin1())) == [])
    }

    /// Debian's MariaDB is configured for utf8mb4, whatever the tables are.
    @Test func holdsOnLegacyTablesOfAServerInUTF8() throws {
        let site = try Site(.legacy, on: Servers.utf8mb4())
        // What the column cannot hold is refused there, by the original as well.
        let allowed = ["character-set/"]
        #expect(try differences(on: site).filter { name in !allowed.contains { name.hasPrefix($0) } } == [])
    }

    @Test func holdsOnAServerThatIsNotStrict() throws {
        var options = MariaDBServer.Options(characterSet: "latin1")
        options.sqlMode = ""
        #expect(try differences(on: Site(.legacy, on: .shared(options))) == [])
    }
}
