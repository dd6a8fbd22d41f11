import Synchronization
import Testing

@testable import ContractSuite

@Suite struct HTTPClientTests {
    private func request(_ change: (inout ContractRequest) -> Void = { _ in }) -> ContractRequest {
        ContractRequest.raw("command=stream").with(change)
    }

    private func exchange(_ request: ContractRequest, with backend: ScriptedBackend) throws -> HTTPReply {
        let url = try backend.url
        var client = HTTPClient(url: url, timeout: .seconds(5))
        let scope = Scope(prefix: "")
        let wire = try #require(WireRequest(request, to: url, scope: scope, jar: CookieJar()))
        return try client.exchange(wire)
    }

    @Test(arguments: [
        ContractRequest.Delivery.whole, .pieces(size: 1, pauseMilliseconds: 0), .pieces(size: 50, pauseMilliseconds: 1),
        .cuts([0, 3], pauseMilliseconds: 1),
    ])
    func everyDeliveryBringsTheSameBytes(_ delivery: ContractRequest.Delivery) throws {
        let seen = Mutex("")
        let backend = try ScriptedBackend { request in
            seen.withLock { $0 = request }
            return ScriptedBackend.reply("{}")
        }
        let reply = try exchange(request { $0.delivery = delivery }, with: backend)
        #expect(reply.body == Array("{}".utf8))
        #expect(seen.withLock { $0 }.hasSuffix("Content-Length: 14\r\n\r\ncommand=stream"))
    }

    @Test func oneConnectionServesSeveralRequests() throws {
        let backend = try ScriptedBackend { _ in ScriptedBackend.reply("{}") }
        let url = try backend.url
        var client = HTTPClient(url: url, timeout: .seconds(5))
        for _ in 0..<3 {
            let wire = try #require(
                WireRequest(request { $0.keepsConnection = true }, to: url, scope: Scope(prefix: ""), jar: CookieJar())
            )
            #expect(try client.exchange(wire).status == 200)
        }
    }

    @Test func copiesAreAnsweredOneByOne() throws {
        let count = Mutex(0)
        let backend = try ScriptedBackend { _ in
            let number = count.withLock { value in
                value += 1
                return value
            }
            return ScriptedBackend.reply("\(number)")
        }
        let url = try backend.url
        let wire = try #require(WireRequest(request(), to: url, scope: Scope(prefix: ""), jar: CookieJar()))
        let replies = try HTTPClient(url: url, timeout: .seconds(5)).exchange(wire, copies: 8)
        #expect(Set(replies.map(\.body)).count == 8)
    }

    @Test func aBodyMayEndWithTheConnection() throws {
        let backend = try ScriptedBackend { _ in "HTTP/1.1 200 OK\r\n\r\nup to the end" }
        #expect(try exchange(request(), with: backend).body == Array("up to the end".utf8))
    }

    @Test(arguments: [
        ("", HTTPFailure.closedWithoutReply),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", .malformed("it ends in the middle")),
        ("nonsense\r\n\r\n", .malformed("nonsense")),
    ])
    func whatIsNoReply(_ reply: String, _ failure: HTTPFailure) throws {
        let backend = try ScriptedBackend { _ in reply }
        #expect(throws: failure) { try exchange(request(), with: backend) }
    }

    @Test func aBackendThatNeverAnswersIsGivenUp() throws {
        let backend = try ScriptedBackend { _ in "" }
        let url = try backend.url
        var client = HTTPClient(url: url, timeout: .milliseconds(200))
        // The backend waits for the rest of a body that never comes.
        let wire = try #require(
            WireRequest(
                request { $0.length = .claimed("100") },
                to: url,
                scope: Scope(prefix: ""),
                jar: CookieJar()
            )
        )
        #expect(throws: HTTPFailure.timedOut) { try client.exchange(wire) }
    }

    @Test func nobodyListens() throws {
        let url = try ContractURL("http://127.0.0.1:1/")
        #expect(throws: HTTPFailure.self) {
            try TCPConnection(host: url.host, port: url.port, deadline: .now + .seconds(5))
        }
    }
}
