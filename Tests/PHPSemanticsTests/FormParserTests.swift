import PHPSemantics
import Testing

@Suite struct FormParserTests {
    @Test func urlEncoded() {
        var files = IgnoredFiles()
        var parser = FormParser(contentType: Array("application/x-www-form-urlencoded".utf8))
        parser.push(Array("command=login&username=b%6f+b&a[]=1".utf8).span, files: &files)
        let form = parser.finish(files: &files)
        #expect(form.string("command") == Array("login".utf8))
        #expect(form.string("username") == Array("bo b".utf8))
        #expect(form.string("a") == nil)
    }

    @Test func multipart() {
        var files = IgnoredFiles()
        var parser = FormParser(contentType: Array("multipart/form-data; boundary=x".utf8))
        let body =
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"p.jpg\"\r\n\r\nabc\r\n--x--\r\n"
        parser.push(Array(body.utf8).span, files: &files)
        let form = parser.finish(files: &files)
        #expect(form.string("a") == Array("1".utf8))
        #expect(form.files.count == 1)
        #expect(form.file("f")?.status == .ok)
        #expect(form.file("f")?.byteCount == 3)
    }

    @Test func session() {
        var session = SessionData(decoding: Array(#"a|a:1:{i:0;s:1:"x";}IdUser|s:2:"13";"#.utf8))
        #expect(session.loggedInUser() == 13)
        session.set("IdUser", to: Array("7".utf8))
        #expect(session.encoded() == Array(#"a|a:1:{i:0;s:1:"x";}IdUser|s:1:"7";"#.utf8))
    }
}
