import Testing

@testable import ContractSuite

@Suite struct WireRequestTests {
    private let scope = Scope(prefix: "ct-x-1-")

    private func wire(_ request: ContractRequest, jar: CookieJar = CookieJar()) throws -> WireRequest {
        let url = try ContractURL("http://127.0.0.1:8080/iReporter/")
        return try #require(WireRequest(request, to: url, scope: scope, jar: jar))
    }

    private func text(_ request: ContractRequest, jar: CookieJar = CookieJar()) throws -> String {
        String(decoding: try wire(request, jar: jar).bytes, as: UTF8.self)
    }

    private let jar: CookieJar = {
        var jar = CookieJar()
        jar.store(HTTPReply(status: 200, headers: [("Set-Cookie", "PHPSESSID=abc; path=/")], body: []))
        return jar
    }()

    @Test func urlencoded() throws {
        #expect(
            try text(.form(["command": "login", "username": "\(name: "bob")", "password": "a b+%"]), jar: jar)
                == """
                POST /iReporter/ HTTP/1.1\r
                Host: 127.0.0.1:8080\r
                Connection: close\r
                Cookie: PHPSESSID=abc\r
                Content-Type: application/x-www-form-urlencoded\r
                Content-Length: 54\r
                \r
                command=login&username=ct-x-1-bob&password=a%20b%2B%25
                """
        )
    }

    @Test func multipart() throws {
        let text = try text(.parts(.field("a", "1"), .file("file", [0x78], filename: "p.jpg")))
        #expect(
            text.hasSuffix(
                """
                Content-Type: multipart/form-data; boundary=Boundary+0xAbCdEfGbOuNdArY\r
                Content-Length: 233\r
                \r
                --Boundary+0xAbCdEfGbOuNdArY\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --Boundary+0xAbCdEfGbOuNdArY\r
                Content-Disposition: form-data; name="file"; filename="p.jpg"\r
                Content-Type: image/jpeg\r
                \r
                x\r
                --Boundary+0xAbCdEfGbOuNdArY--\r

                """
            ),
            "\(text)"
        )
    }

    @Test(arguments: [
        (Multipart.Ending.closed, "\n--b--\n"), (.withoutHyphens, "\n--b\n"), (.missing, ""),
    ])
    func multipartFraming(_ ending: Multipart.Ending, _ end: String) throws {
        let multipart = Multipart(
            parts: [.init(headers: ["A"], contents: "x")],
            boundary: "b",
            lineEnd: "\n",
            preamble: "pre\n",
            epilogue: "post",
            ending: ending
        )
        #expect(try #require(scope.render(multipart.body)) == Array("pre\n--b\nA\n\nx\(end)post".utf8))
    }

    @Test func chunks() throws {
        let text = try text(.raw("command=stream").with { $0.length = .chunked(size: 5) })
        #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\n\r\n5\r\ncomma\r\n5\r\nnd=st\r\n4\r\nream\r\n0\r\n\r\n"))
    }

    @Test func lengthsThatAreNotTrue() throws {
        #expect(try text(.raw("abc").with { $0.length = .claimed("9") }).contains("\r\nContent-Length: 9\r\n"))
        #expect(!(try text(.raw("abc").with { $0.length = .omitted }).contains("Content-Length")))
    }

    @Test func cutsAreCountedFromTheBody() throws {
        let wire = try wire(.raw("abcdef").with { $0.delivery = .cuts([0, 2], pauseMilliseconds: 7) })
        #expect(wire.pieces.dropFirst().map { String(decoding: $0, as: UTF8.self) } == ["ab", "cdef"])
        #expect(wire.pauseMilliseconds == 7)
    }

    @Test func piecesCoverEverything() throws {
        let wire = try wire(.raw("abcdef").with { $0.delivery = .pieces(size: 7, pauseMilliseconds: 0) })
        #expect(wire.pieces.allSatisfy { $0.count <= 7 && !$0.isEmpty })
        #expect(Array(wire.pieces.joined()) == wire.bytes)
    }

    @Test(arguments: [
        (ContractRequest.Cookies.jar, "Cookie: PHPSESSID=abc\r\n"), (.none, ""),
        (.header("a=1; PHPSESSID=<session>"), "Cookie: a=1; PHPSESSID=abc\r\n"),
    ])
    func cookies(_ cookies: ContractRequest.Cookies, _ line: String) throws {
        let text = try text(.stream.with { $0.cookies = cookies }, jar: jar)
        #expect(line.isEmpty ? !text.contains("Cookie") : text.contains(line))
    }

    @Test func slashesAndQueries() throws {
        #expect(try text(.get("?a=b")).hasPrefix("GET /iReporter/?a=b HTTP/1.1\r\n"))
        #expect(
            try text(.get("upload/1.jpg").with { $0.doublesSlashes = true })
                .hasPrefix("GET //iReporter//upload/1.jpg HTTP/1.1\r\n")
        )
    }

    @Test func anUnknownIDMakesNoRequest() throws {
        let url = try ContractURL("http://127.0.0.1/")
        #expect(WireRequest(.get("\(id: "photo").jpg"), to: url, scope: scope, jar: jar) == nil)
    }
}
