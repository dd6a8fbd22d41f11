import Testing

@testable import ContractSuite

@Suite struct CookieTests {
    private static let id = "abcdefghijklmnopqrstuvwxyz"

    private func reply(_ lines: String...) -> HTTPReply {
        HTTPReply(status: 200, headers: lines.map { ("Set-Cookie", $0) }, body: [])
    }

    @Test func aLaterCookieReplacesAnEarlierOne() {
        var jar = CookieJar()
        jar.store(reply("PHPSESSID=1; path=/", "a=b"))
        jar.store(reply("PHPSESSID=2; path=/"))
        #expect(jar.session == "2")
        #expect(jar.header(.jar) == "a=b; PHPSESSID=2")
    }

    @Test(arguments: ["PHPSESSID=; Max-Age=0", "PHPSESSID=x; expires=Thu, 01 Jan 1970 00:00:01 GMT; path=/"])
    func aCookieCanBeTakenBack(_ line: String) {
        var jar = CookieJar()
        jar.store(reply("PHPSESSID=1; path=/"))
        jar.store(reply(line))
        #expect(jar.session == nil)
        #expect(jar.header(.jar) == nil)
    }

    @Test(arguments: [
        (CookieForm.plain, "PHPSESSID=\(id); path=/", true),
        (.plain, "PHPSESSID=\(id); path=/; HttpOnly", false),
        (.plain, "PHPSESSID=\(id)", false),
        (.plain, "PHPSESSID=short; path=/", false),
        (.plain, "PHPSESSID=abcdefghijklmnopqrstu_wxyz; path=/", false),
        (.plain, "PHPSESSID=\(id); path=/iReporter", false),
        (.hardened, "PHPSESSID=\(id); path=/; HttpOnly; SameSite=Lax", true),
        (.hardened, "PHPSESSID=\(id); Path=/; samesite=lax; httponly; Secure; Max-Age=60", true),
        (.hardened, "PHPSESSID=\(id); path=/; HttpOnly", false),
        (.hardened, "PHPSESSID=\(id); path=/; SameSite=Lax", false),
        (.hardened, "PHPSESSID=\(id); HttpOnly; SameSite=Lax", false),
    ])
    func forms(_ form: CookieForm, _ line: String, _ isAccepted: Bool) {
        #expect(form.accepts(line) == isAccepted)
    }
}
