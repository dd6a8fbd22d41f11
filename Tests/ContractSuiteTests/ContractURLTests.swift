import Testing

@testable import ContractSuite

@Suite struct ContractURLTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/iReporter/", "127.0.0.1", 8080, "/iReporter/"),
        ("http://localhost", "localhost", 80, "/"),
        ("HTTP://example.org/a/b", "example.org", 80, "/a/b/"),
        ("http://[::1]:81/x/", "::1", 81, "/x/"),
        ("http://[::1]", "::1", 80, "/"),
    ])
    func parts(_ text: String, _ host: String, _ port: UInt16, _ path: String) throws {
        let url = try ContractURL(text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.path == path)
    }

    @Test(arguments: [
        ("https://example.org/", ContractURL.Invalid.encrypted),
        ("example.org", .noScheme), ("ftp://example.org/", .noScheme), ("", .noScheme),
        ("http://", .noHost), ("http:///iReporter/", .noHost), ("http://:80/", .noHost), ("http://a:b:c/", .noHost),
        ("http://[::1]x/", .noHost),
        ("http://a:0/", .badPort), ("http://a:65536/", .badPort), ("http://a:/", .badPort), ("http://a:x/", .badPort),
        ("http://a/?x", .notADirectory), ("http://a/#x", .notADirectory), ("http://u:p@a/", .notADirectory),
        ("http://a/b c", .notADirectory), ("http://a/\u{e9}", .notADirectory), ("http://a/\r\nX: y", .notADirectory),
    ])
    func mistakes(_ text: String, _ why: ContractURL.Invalid) {
        #expect(throws: why) { try ContractURL(text) }
    }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.1.2.3/", true), ("http://localhost:8080/", true),
        ("http://LOCALHOST/", true), ("http://[::1]/", true),
        ("http://127.example.org/", false), ("http://127.0.0.1.example.org/", false), ("http://example.org/", false),
        ("http://10.0.0.1/", false), ("http://localhost.example.org/", false), ("http://127.0.0.256/", false),
        ("http://127.1/", false),
    ])
    func loopbackIsKnownByItsWriting(_ text: String, _ isLoopback: Bool) throws {
        #expect(try ContractURL(text).isLoopback == isLoopback)
    }

    @Test func isWrittenAsItIsTyped() throws {
        #expect(try ContractURL("http://[::1]:81/x").description == "http://[::1]:81/x/")
        #expect(try ContractURL("http://a:80").description == "http://a/")
    }
}
