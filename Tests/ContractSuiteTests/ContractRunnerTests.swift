import Synchronization
import Testing

@testable import ContractSuite

/// Runs single cases on backends that are right or wrong on purpose.
@Suite struct ContractRunnerTests {
    private func run(
        _ only: String,
        asOriginal: Bool = false,
        against other: ScriptedBackend? = nil,
        on backend: ScriptedBackend
    ) throws -> [ContractResult] {
        var options = ContractRunner.Options()
        options.only = only
        options.asOriginal = asOriginal
        options.against = try other?.url
        options.timeout = .seconds(5)
        return ContractRunner(url: try backend.url, options: options).run()
    }

    private func evidence(_ results: [ContractResult]) throws -> ContractResult.Evidence {
        let first = try #require(results.first)
        guard case .differs(let evidence) = first.outcome else {
            throw Missing(what: "\(first.outcome)")
        }
        return evidence
    }

    private struct Missing: Error {
        let what: String
    }

    /// Answers a registration as the contract says, with the name that was sent.
    private static func account(_ request: String, id: String = "\"7\"") -> String {
        let name = request.split(separator: "username=").last?.prefix { $0 != "&" } ?? ""
        return "{\"result\":[{\"IdUser\":\(id),\"username\":\"\(name)\"}]}"
    }

    @Test func whatIsRightHolds() throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0)) }
        #expect(try run("register/created", on: backend).map(\.outcome) == [.held])
    }

    @Test func anIDAsANumberIsNoticed() throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0, id: "7")) }
        let evidence = try evidence(try run("register/created", on: backend))
        #expect(evidence.what == "body")
        #expect(evidence.step == 1)
        #expect(String(decoding: evidence.sent, as: UTF8.self).contains("command=register"))
        #expect(String(decoding: evidence.expected, as: UTF8.self).contains("\"IdUser\":\"<bob>\""))
        #expect(String(decoding: evidence.got, as: UTF8.self).contains("\"IdUser\":7,"))
    }

    @Test(arguments: ["Content-Type", "Expires", "Cache-Control", "Pragma"])
    func aMissingHeaderIsNoticed(_ name: String) throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0), headers: [name: ""]) }
        let evidence = try evidence(try run("register/created", on: backend))
        #expect(evidence.what == "header \(name)")
        #expect(evidence.got == Array("no such header".utf8))
    }

    @Test(arguments: [
        ("Content-Type", "application/json; charset=utf-8"), ("Pragma", "No-Cache"),
        ("Cache-Control", "no-store,no-cache,must-revalidate"),
    ])
    func aHeaderOfAnotherValueIsNoticed(_ name: String, _ value: String) throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0), headers: [name: value]) }
        #expect(try evidence(try run("register/created", on: backend)).what == "header \(name)")
    }

    @Test func anotherStatusIsNoticed() throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0), status: 201) }
        #expect(try evidence(try run("register/created", on: backend)).what == "status")
    }

    @Test(arguments: [
        "{\"error\":\"Authorization failed.\"}", "{\"error\":\"authorization failed\"}",
        "{\"error\": \"Authorization failed\"}", "",
        "{\"result\":null,\"error\":\"Authorization failed\"}", "{\"error\":\"Authorization  failed\"}",
    ])
    func aChangedMessageIsNoticed(_ body: String) throws {
        let backend = try ScriptedBackend { _ in ScriptedBackend.reply(body) }
        #expect(try evidence(try run("login/unknown-name", on: backend)).what == "body")
    }

    @Test func noReplyIsNoticed() throws {
        let backend = try ScriptedBackend { _ in "" }
        let evidence = try evidence(try run("register/created", on: backend))
        #expect(evidence.what == "reply")
        #expect(String(decoding: evidence.got, as: UTF8.self) == HTTPFailure.closedWithoutReply.description)
    }

    @Test(arguments: ["\n\(Self.marker)", "\(Self.marker)\r\n", " \(Self.marker)\t"])
    func whiteSpaceAroundTheBodyIsNamedAndNotInTheWay(_ body: String) throws {
        let backend = try ScriptedBackend { request in
            let account = Self.account(request)
            return ScriptedBackend.reply(body.replacing(Self.marker, with: account))
        }
        let evidence = try evidence(try run("login/right-password", on: backend))
        // The third request of the case is answered otherwise altogether, and that is what is shown.
        #expect(evidence.step == 3)
        #expect(evidence.what == "body")
        #expect(try self.evidence(try run("register/created", on: backend)).what == "white space around the body")
    }

    private static let marker = "ACCOUNT"

    @Test func theOriginalIsHeldAgainstItsOwnWays() throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0)) }
        let here = try run("register/password-empty", on: backend)
        #expect(here.first?.isFailure == true)
        #expect(here.first?.reason != nil)
        #expect(try run("register/password-empty", asOriginal: true, on: backend).map(\.outcome) == [.held])
    }

    @Test func twoWinnersOfARaceAreNoticed() throws {
        let backend = try ScriptedBackend { ScriptedBackend.reply(Self.account($0)) }
        let name = "register/one-name-eight-times-at-once"
        let evidence = try evidence(try run(name, on: backend))
        #expect(evidence.what == "replies")
        #expect(evidence.got == Array("8".utf8))
        #expect(try run(name, asOriginal: true, on: backend).map(\.outcome) == [.held])
    }

    @Test func twoBackendsThatAgreeAreTheSame() throws {
        let first = try ScriptedBackend { ScriptedBackend.reply(Self.account($0, id: "\"7\"")) }
        let second = try ScriptedBackend { ScriptedBackend.reply(Self.account($0, id: "\"4711\"")) }
        #expect(try run("register/created", against: second, on: first).map(\.outcome) == [.held])
    }

    @Test func twoBackendsThatDifferAreShown() throws {
        let first = try ScriptedBackend { ScriptedBackend.reply(Self.account($0)) }
        let second = try ScriptedBackend { ScriptedBackend.reply(Self.account($0, id: "7")) }
        let evidence = try evidence(try run("register/created", against: second, on: first))
        #expect(evidence.what == "body")
        #expect(
            String(decoding: evidence.expected, as: UTF8.self)
                == "{\"result\":[{\"IdUser\":\"#\",\"username\":\"<name>bob\"}]}"
        )
        #expect(
            String(decoding: evidence.got, as: UTF8.self) == "{\"result\":[{\"IdUser\":7,\"username\":\"<name>bob\"}]}"
        )
    }

    @Test func twoBackendsMayDifferOnPurpose() throws {
        let first = try ScriptedBackend { _ in ScriptedBackend.reply("{\"error\":\"Registration failed\"}") }
        let second = try ScriptedBackend { ScriptedBackend.reply(Self.account($0)) }
        let result = try #require(try run("register/password-empty", against: second, on: first).first)
        guard case .differsOnPurpose = result.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(!result.isFailure)
    }

    @Test func aDifferenceThatIsNotTheOneOnPurposeIsShown() throws {
        let first = try ScriptedBackend { _ in ScriptedBackend.reply("{\"error\":\"Registration failed\"}") }
        let second = try ScriptedBackend { _ in ScriptedBackend.reply("{\"error\":\"Something else\"}") }
        #expect(try run("register/password-empty", against: second, on: first).first?.isFailure == true)
    }

    @Test func theSessionCookieIsCarriedOn() throws {
        let seen = Mutex<[String]>([])
        let backend = try ScriptedBackend { request in
            let line = request.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }
            seen.withLock { $0.append(line.map(String.init) ?? "none") }
            guard request.contains("command=register") else {
                return ScriptedBackend.reply("{\"error\":\"Upload malfunction\"}")
            }
            let cookie = "PHPSESSID=abcdefghijklmnopqrstuvwxyz; path=/"
            return ScriptedBackend.reply(Self.account(request), headers: ["Set-Cookie": cookie])
        }
        #expect(try run("session/cookie-header/after-another", on: backend).map(\.outcome) == [.held])
        #expect(seen.withLock { $0 } == ["none", "Cookie: a=1; PHPSESSID=abcdefghijklmnopqrstuvwxyz"])
    }

    @Test func thePairIsLeftOutWhereItIsNotInstalled() throws {
        let backend = try ScriptedBackend { _ in ScriptedBackend.reply("not found", status: 404) }
        let results = try run("pair/", on: backend)
        #expect(results.count > 20)
        for result in results {
            guard case .skipped = result.outcome else {
                Issue.record("\(result.name)")
                continue
            }
        }
    }

    @Test func anAPIKeyIsSentAndRefused() throws {
        let backend = try ScriptedBackend { request in
            // As a form field, urlencoded or multipart, with exactly this value.
            let body = request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().joined()
            let hasKey =
                body.split(separator: "&").contains("APIKey=k")
                || body.contains("name=\"APIKey\"\r\n\r\nk\r\n")
            guard hasKey else { return ScriptedBackend.reply("{\"Message\":\"No Access\",\"Reason\":\"Update.\"}") }
            return ScriptedBackend.reply(body.contains("stream") ? "{\"result\":[]}" : "")
        }
        var options = ContractRunner.Options()
        options.apiKey = "k"
        let results = ContractRunner(url: try backend.url, options: options).run()
        // This backend has no accounts.
        let failures = results.filter(\.isFailure).map(\.name)
        #expect(
            failures
                == ["register-without-it", "upload-named-after-the-file", "upload-without-it"].map { "api-key/\($0)" }
        )
        #expect(results.count > 12)

        options.apiKey = "other"
        let others = ContractRunner(url: try backend.url, options: options).run()
        #expect(others.first { $0.name == "api-key/right" }?.isFailure == true)
        #expect(others.first { $0.name == "api-key/wrong" }?.outcome == .held)
    }

    @Test(arguments: [(4, true), (5, false)])
    func theLimitOnLoginsIsFound(_ attempts: Int, _ isNoticed: Bool) throws {
        let failures = Mutex(0)
        let backend = try ScriptedBackend { request in
            guard request.contains("command=login") else { return ScriptedBackend.reply(Self.account(request)) }
            let count = failures.withLock { count in
                count += 1
                return count
            }
            let message = count > 5 ? "Too many attempts. Try again later." : "Authorization failed"
            return ScriptedBackend.reply("{\"error\":\"\(message)\"}")
        }
        var options = ContractRunner.Options()
        options.attempts = attempts
        options.only = "attempts/"
        let results = ContractRunner(url: try backend.url, options: options).run()
        #expect(results.map(\.isFailure) == [isNoticed])
    }

    @Test func namesAreNeverUsedTwice() throws {
        let names = Mutex<[String]>([])
        let backend = try ScriptedBackend { request in
            let name = request.split(separator: "username=").last?.prefix { $0 != "&" } ?? ""
            names.withLock { $0.append(String(name)) }
            return ScriptedBackend.reply(Self.account(request))
        }
        for _ in 0..<3 { _ = try run("register/created", on: backend) }
        #expect(Set(names.withLock { $0 }).count == 3)
    }
}
