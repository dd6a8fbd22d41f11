import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The session's cookie and `IREPORTER_SESSION_COOKIE_MAX_AGE`, on both stores.
@Suite(.serialized) struct SessionCookieTests {
    private static let stores = ["files", "database"]

    private func site(_ store: String, _ settings: [String: String] = [:]) throws -> Site {
        let own = store == "database" ? ["IREPORTER_SESSION_STORE": "database"] : [:]
        return try Site(.current, on: Servers.utf8mb4(), settings: own.merging(settings) { $1 })
    }

    /// What a reply to `register` sets, its id and date replaced, and how far in the future the date is.
    private func cookie(_ url: String) throws -> (text: [String], seconds: TimeInterval?) {
        var client = try SiteClient(url)
        let reply = try client.send(
            ContractRequest(body: .form([("command", "register"), ("username", "bob"), ("password", "secret")]))
        )
        #expect(reply.text == #"{"result":[{"IdUser":"1","username":"bob"}]}"#)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var seconds: TimeInterval?
        let lines = reply.values(of: "Set-Cookie").map { line in
            let line = line.replacing(/PHPSESSID=[a-z0-9]{26};/, with: "PHPSESSID=ID;")
            guard let match = line.firstMatch(of: /expires=([^;]*);/) else { return line }
            seconds = formatter.date(from: String(match.1))?.timeIntervalSinceNow
            return line.replacing(match.1, with: "DATE")
        }
        return (lines, seconds)
    }

    @Test(arguments: stores)
    func cookieLastsAsLongAsTheClient(store: String) throws {
        let site = try site(store)
        let (text, seconds) = try cookie(site.url)
        #expect(text == ["PHPSESSID=ID; path=/; HttpOnly; SameSite=Lax"])
        #expect(seconds == nil)
    }

    /// nginx hands each of several header fields on by itself, before its version 1.23.
    @Test(arguments: stores)
    func cookieMayStandInAnyOfSeveralHeaderFields(store: String) throws {
        let site = try site(store)
        var bob = try site.client()
        try bob.register("bob")
        let session = "PHPSESSID=\(try #require(bob.jar.session))"
        let other = "PHPSESSID=00000000000000000000000000"
        for (cookies, isLoggedIn) in [
            ([session], true), (["a=b", session], true), ([session, "a=b"], true), ([other, session], true),
            ([session, other], false), (["a=b"], false),
        ] {
            var request = ContractRequest(body: .form([("command", "upload")]), cookies: .none)
            request.headers = cookies.map { ("Cookie", Template(bytes: $0.utf8)) }
            let expected = isLoggedIn ? "Upload on server problem" : "Authorization required"
            var client = try site.client()
            #expect(try client.send(request).text == #"{"error":"\#(expected)"}"#, "\(cookies)")
        }
    }

    @Test(arguments: stores)
    func maximumAgeIsWrittenAsPHPWritesIt(store: String) throws {
        let site = try site(store, ["IREPORTER_SESSION_COOKIE_MAX_AGE": "86400"])
        let (text, seconds) = try cookie(site.url)
        #expect(text == ["PHPSESSID=ID; expires=DATE; Max-Age=86400; path=/; HttpOnly; SameSite=Lax"])
        #expect(abs(try #require(seconds) - 86_400) < 300)

        let original = try Site(.legacy, on: Servers.utf8mb4())
        let php = try PHPNeighbour(
            of: original,
            settings: [
                "session.cookie_lifetime": "86400", "session.cookie_httponly": "1", "session.cookie_samesite": "Lax",
            ]
        )
        #expect(try cookie(php.url).text == text)
    }

    @Test(arguments: stores)
    func logoutSetsNoCookie(store: String) throws {
        let site = try site(store, ["IREPORTER_SESSION_COOKIE_MAX_AGE": "86400"])
        var client = try site.client()
        try client.register("bob")
        let jar = client.jar
        let reply = try client.send(ContractRequest(body: .form([("command", "logout")])))
        #expect(reply.text == "")
        #expect(reply.values(of: "Set-Cookie") == [])
        var later = try SiteClient(site.url, jar: jar)
        #expect(try later.upload(Sample.baseline) == #"{"error":"Authorization required"}"#)
    }
}
