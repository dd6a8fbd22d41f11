import FastCGI
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("unix:/run/ireporter.sock", ListenAddress.unix(path: "/run/ireporter.sock")),
        ("127.0.0.1:9000", .tcp(host: "127.0.0.1", port: 9000)),
        ("localhost:0", .tcp(host: "localhost", port: 0)),
        ("[::1]:9000", .tcp(host: "::1", port: 9000)),
    ])
    func reads(text: String, expected: ListenAddress) throws {
        #expect(try ListenAddress(text) == expected)
        #expect(expected.description == text)
    }

    @Test(arguments: [
        "", "unix:", ":9000", "host", "host:", "host:port", "host:65536", "host:-1", "::1:9000",
        "unix:run/ireporter.sock", "unix:ireporter.sock",
    ])
    func refuses(text: String) {
        #expect(throws: FastCGIError.malformedAddress(text)) {
            try ListenAddress(text)
        }
    }

    @Test func pathThatIsTooLongIsToldFromAMalformedOne() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try ListenAddress("unix:" + longest) == .unix(path: longest))
        #expect {
            try ListenAddress("unix:\(longest)x")
        } throws: {
            "\($0)"
                == "cannot listen on '\(longest)x': the path is too long, 108 bytes, of which a socket's may have 107"
        }
    }
}
