import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Somebody guesses passwords as fast as they can.
@Suite(.serialized) struct ThrottlingTests {
    private static let guesses = 100_000
    private static let clients = 8
    private static let wrong = #"{"error":"Authorization failed"}"#
    private static let throttled = #"{"error":"Too many attempts. Try again later."}"#

    @Test func hundredThousandGuessesFromOneAddressHinderNobodyElse() throws {
        // nginx is told who sends a request, as by a proxy that it trusts.
        let site = try Site(
            .current,
            on: Servers.utf8mb4(),
            nginx: "set_real_ip_from 127.0.0.1; real_ip_header X-Client;"
        )
        var owner = try site.client()
        try owner.register("bob")
        let url = try ContractURL(site.url)
        let before = try memory(of: site.worker)
        let start = ContinuousClock.now
        let guessers = Crowd(Self.clients) { number in
            try Self.guess(number, url)
        }
        // The same account, and from other addresses, all the while.
        var welcomed = 0
        repeat {
            welcomed += 1
            #expect(
                try Self.logIn(&owner, from: "198.51.100.\(welcomed % 250)", password: "secret")
                    == #"{"result":[{"IdUser":"1","username":"bob"}]}"#
            )
            usleep(50_000)
        } while !guessers.isFinished
        let replies = try guessers.wait().reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        let tens = Int((ContinuousClock.now - start) / .seconds(10))
        #expect(replies.values.reduce(0, +) == Self.guesses)
        // A hundred at once and one more every ten seconds; the clock may tick on either side of the measurement.
        #expect((100...101 + tens).contains(replies[Self.wrong] ?? 0), "\(replies)")

        #expect(try Self.logIn(&owner, from: "192.0.2.1", password: "secret") == Self.throttled)
        #expect(try Self.logIn(&owner, from: "2001:db8::1", password: "wrong") == Self.wrong)
        let log = Array(site.worker.standardError.utf8)
        #expect(log.count(of: #"login 192.0.2.1 "bob": too many attempts"#) == (replies[Self.throttled] ?? 0) + 1)
        let growth = try memory(of: site.worker) - before
        // Tables of fixed size, a hash for each of a few threads: nothing that grows with the guesses. A sanitizer keeps
        // for a while what is freed.
        let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        #expect(growth < (isSanitized ? 1 << 30 : 32 << 20), "grown by \(growth >> 20) MiB")
    }

    /// The collation looks past these characters, and takes the circled letter for the plain one.
    @Test(arguments: ["scrypt", "plain"])
    func spellingsOfANameAreOneAccount(passwords: String) throws {
        let site = try Site(
            .current,
            on: Servers.utf8mb4(),
            settings: [
                "IREPORTER_PASSWORDS": passwords, "IREPORTER_ACCOUNT_ATTEMPTS": "4",
                "IREPORTER_ATTEMPT_SECONDS": "86400", "IREPORTER_DB_CHARSET": "utf8mb4",
            ],
            nginx: "set_real_ip_from 127.0.0.1; real_ip_header X-Client;"
        )
        var client = try site.client()
        try client.register("bob")
        let spellings = [
            "bob", "BOB ", "b\u{E0061}ob", "bo\u{6DE}b\u{1D165}", "\u{24D1}ob", "b\u{F6}b", "bob\u{6DE}\u{6DE}",
        ]
        var replies: [String] = []
        for (number, name) in spellings.enumerated() {
            replies.append(
                try client.send(Self.request(from: "192.0.2.\(number)", name: name, password: "wrong")).text
            )
        }
        #expect(replies == Array(repeating: Self.wrong, count: 4) + Array(repeating: Self.throttled, count: 3))
        let right = Self.request(from: "198.51.100.1", name: "bob\u{1D165}", password: "secret")
        #expect(try client.send(right).text == Self.throttled)
        #expect(site.worker.standardError.contains("login 198.51.100.1 \"bob\u{1D165}\": too many attempts ("))
        let status = try client.send(Self.request(from: "192.0.2.9", name: "eve", password: "secret")).text
        #expect(status == Self.wrong, "another account")
    }

    /// The time of a refusal can tell something, so refusals are no more free than guesses are.
    @Test(arguments: ["scrypt", "plain"])
    func attemptsAtAnExhaustedAccountCostTheirAddress(passwords: String) throws {
        let site = try Site(
            .current,
            on: Servers.utf8mb4(),
            settings: [
                "IREPORTER_PASSWORDS": passwords, "IREPORTER_ACCOUNT_ATTEMPTS": "2", "IREPORTER_LOGIN_ATTEMPTS": "3",
                "IREPORTER_ATTEMPT_SECONDS": "86400",
            ],
            nginx: "set_real_ip_from 127.0.0.1; real_ip_header X-Client;"
        )
        var client = try site.client()
        try client.register("bob")
        for _ in 1...2 {
            #expect(try client.send(Self.request(from: "192.0.2.1", password: "wrong")).text == Self.wrong)
        }
        for _ in 1...3 {
            #expect(try client.send(Self.request(from: "192.0.2.2", password: "secret")).text == Self.throttled)
        }
        // Of another account, which has attempts left.
        let other = Self.request(from: "192.0.2.2", name: "eve", password: "secret")
        #expect(try client.send(other).text == Self.throttled)
    }

    /// Sends a share of the guesses, many at a time on one connection, and counts the replies.
    private static func guess(_ number: Int, _ url: ContractURL) throws -> [String: Int] {
        let batch = 250
        let deadline = ContinuousClock.now + .seconds(300)
        let kept = try #require(wire(url, password: "guess \(number)", keepsConnection: true)).bytes
        let last = try #require(wire(url, password: "guess \(number)", keepsConnection: false)).bytes
        let requests = Array(repeatElement(kept, count: batch - 1).joined()) + last
        var counts = [wrong: 0, throttled: 0]
        for _ in 0..<(guesses / clients / batch) {
            let connection = try TCPConnection(host: url.host, port: url.port, deadline: deadline)
            try connection.send(requests[...], deadline: deadline)
            var replies: [UInt8] = []
            while case let more = try connection.receive(deadline: deadline), !more.isEmpty {
                replies += more
            }
            try #require(replies.count(of: "HTTP/1.1 200 OK\r\n") == batch)
            for reply in [wrong, throttled] {
                counts[reply, default: 0] += replies.count(of: reply)
            }
        }
        return counts
    }

    private static func logIn(_ client: inout SiteClient, from address: String, password: String) throws -> String {
        try client.send(request(from: address, password: password)).text
    }

    private static func wire(_ url: ContractURL, password: String, keepsConnection: Bool) -> WireRequest? {
        var request = request(from: "192.0.2.1", password: password)
        request.keepsConnection = keepsConnection
        return WireRequest(request, to: url, scope: Scope(prefix: ""), jar: CookieJar())
    }

    private static func request(from address: String, name: String = "bob", password: String) -> ContractRequest {
        var request = ContractRequest(
            body: .form(
                [("command", "login"), ("username", name), ("password", password)].map {
                    ($0, Template(bytes: $1.utf8))
                }
            )
        )
        request.headers = [("X-Client", Template(bytes: address.utf8))]
        return request
    }

    /// Bytes that a process holds in memory.
    private func memory(of process: WorkerProcess) throws -> Int {
        let pages = try String(contentsOfFile: "/proc/\(process.identifier)/statm", encoding: .utf8).split(
            separator: " "
        )
        return try #require(Int(pages[1])) * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension [UInt8] {
    /// How often a text occurs; the C library's search, since there are a hundred thousand replies to look at.
    fileprivate func count(of text: String) -> Int {
        unsafe (self + [0]).withUnsafeBytes { bytes in
            var count = 0
            var rest = unsafe bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            while let found = unsafe strstr(rest, text) {
                count += 1
                unsafe rest = UnsafePointer(found) + text.utf8.count
            }
            return count
        }
    }
}
