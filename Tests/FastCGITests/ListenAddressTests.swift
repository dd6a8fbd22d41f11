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
        "unix:/" + String(repeating: "x", count: 107),
    ])
    func refuses(text: String) {
        #expect(throws: FastCGIError.malformedAddress(text)) {
            try ListenAddress(text)
        }
    }
}
