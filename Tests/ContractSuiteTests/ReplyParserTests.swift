import Testing

@testable import ContractSuite

@Suite struct ReplyParserTests {
    private static let replies: [(String, Bool, String, Bool)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, "hello", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", false, "hello", false),
        (
            "HTTP/1.1 200\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n", false, "hello",
            true
        ),
        ("HTTP/1.1 204 No Content\r\n\r\n", false, "", true),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false, "ok", true),
        ("HTTP/1.0 200 OK\r\nX: y\r\n\r\nup to the end", true, "up to the end", false),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", false, "ok", true),
    ]

    @Test(arguments: replies)
    func bodies(_ text: String, _ atEnd: Bool, _ body: String, _ reusable: Bool) throws {
        let bytes = Array(text.utf8)
        let parsed = try ReplyParser(method: "POST").parse(bytes, atEnd: atEnd)
        guard case .complete(let reply, let length, let isReusable) = parsed else {
            Issue.record("incomplete")
            return
        }
        #expect(reply.body == Array(body.utf8))
        #expect(length == bytes.count)
        #expect(isReusable == reusable)
    }

    @Test(arguments: replies.filter { !$0.1 })
    func everyCutIsIncomplete(_ text: String, _ atEnd: Bool, _ body: String, _ reusable: Bool) throws {
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            #expect(try ReplyParser(method: "POST").parse(Array(bytes.prefix(count)), atEnd: false) == .incomplete)
        }
    }

    @Test func headHasNoBody() throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
        let parsed = try ReplyParser(method: "HEAD").parse(bytes, atEnd: false)
        guard case .complete(let reply, let length, _) = parsed else {
            Issue.record("incomplete")
            return
        }
        #expect(reply.body.isEmpty)
        #expect(reply.values(of: "content-length") == ["5"])
        #expect(length == bytes.count)
    }

    @Test func headersKeepTheirOrderAndLoseTheirBlanks() throws {
        let bytes = Array("HTTP/1.1 404 Not Found\r\nA: \t1 \r\nb:2\r\na: 3\r\nContent-Length: 0\r\n\r\n".utf8)
        guard case .complete(let reply, _, _) = try ReplyParser(method: "GET").parse(bytes, atEnd: false) else {
            Issue.record("incomplete")
            return
        }
        #expect(reply.status == 404)
        #expect(reply.values(of: "A") == ["1", "3"])
        #expect(reply.values(of: "B") == ["2"])
        #expect(reply.values(of: "C").isEmpty)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 two hundred\r\n\r\n", "\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func whatIsNoReply(_ text: String) {
        #expect(throws: HTTPFailure.self) { try ReplyParser(method: "GET").parse(Array(text.utf8), atEnd: false) }
    }
}
