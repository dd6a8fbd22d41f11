import TestSupport
import Testing

@testable import ContractSuite

/// A site of two workers on one table of sessions, each behind an nginx of its own.
struct WorkerPair {
    private let stored = #"{"successful":1}"#
    let site: Site
    let gateways: [NginxServer]

    /// Starts it, on a server of the test's own if need be.
    init(on server: MariaDBServer? = nil, settings: [String: String] = [:]) throws {
        site = try Site(
            .current,
            on: server ?? Servers.utf8mb4(),
            workers: 2,
            settings: ["IREPORTER_SESSION_STORE": "database"].merging(settings) { $1 }
        )
        let site = site
        gateways = try (0..<2).map { try site.gateway(to: $0) }
    }

    /// A client of one worker, with the cookies of another client.
    func client(_ number: Int, _ jar: CookieJar = CookieJar()) throws -> SiteClient {
        try SiteClient(gateways[number].url + "/iReporter/", jar: jar)
    }

    /// Whether a session counts as logged in, by each worker.
    func sees(_ jar: CookieJar) throws -> [Bool] {
        try (0..<2).map { number in
            var client = try client(number, jar)
            let reply = try client.upload(Sample.baseline)
            #expect([stored, #"{"error":"Authorization required"}"#].contains(reply))
            return reply == stored
        }
    }

    /// Puts a session into the table, whatever its bytes and time.
    func plant(_ id: String, _ content: String, used: String = "UNIX_TIMESTAMP()") throws {
        let data = content.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try site.sql("INSERT INTO sessions VALUES (UNHEX(SHA2('\(id)', 256)), X'\(data)', \(used))")
    }
}
