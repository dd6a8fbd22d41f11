import FastCGI
import PHPSemantics
import Testing

@testable import IReporter

@Suite struct ReplyTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func headIsTheContracts() {
        #expect(
            text(Reply.empty.head) == """
                Expires: Thu, 19 Nov 1981 08:52:00 GMT\r
                Cache-Control: no-store, no-cache, must-revalidate\r
                Pragma: no-cache\r
                Content-Type: application/json\r\n
                """
        )
        #expect(Reply.empty.body.isEmpty)
    }

    @Test func errorIsAnObject() {
        #expect(
            text(Reply.error("Upload database problem.Database error").body)
                == #"{"error":"Upload database problem.Database error"}"#
        )
    }

    @Test(arguments: [
        (false, "Set-Cookie: PHPSESSID=abc; path=/; HttpOnly; SameSite=Lax\r\n"),
        (true, "Set-Cookie: PHPSESSID=abc; path=/; HttpOnly; SameSite=Lax; Secure\r\n"),
    ])
    func loginSaysWhoAndSetsTheCookie(isSecure: Bool, cookie: String) throws {
        let account = Account(id: 7, username: Array("b\"\u{e9}b".utf8))
        let id = try #require(SessionID("abc".utf8))
        let reply = Reply.loggedIn(account, cookie: SessionCookie(id: id, isSecure: isSecure))
        #expect(text(reply.body) == #"{"result":[{"IdUser":"7","username":"b\"\u00e9b"}]}"#)
        #expect(text(reply.head) == cookie + text(Reply.head))
    }
}
