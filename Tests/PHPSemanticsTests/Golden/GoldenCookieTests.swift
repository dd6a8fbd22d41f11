import PHPSemantics
import TestSupport
import Testing

/// Random `Cookie` headers, and what PHP's built-in web server makes of them.
@Suite struct GoldenCookieTests {
    private static let script = """
        <?php
        foreach ($_COOKIE as $name => $value)
            echo base64_encode($name), ' ', is_array($value) ? 'array' : 's' . base64_encode($value), "\\n";
        """

    @Test func randomCookiesAreThoseOfPHP() throws {
        var random = SeededGenerator(seed: PHP.goldenSeed(12))
        let pieces = [
            "PHPSESSID", "PHPSESSID", "a", "b", "=", "=", "=", ";", ";", "; ", " ", ".", "[", "]", "[]", "[x]", "%41",
            "%5b", "%", "%2",
            "+", ",", "\"", "\t", "__Host-", "_", "é", "1", "%00", "a.b", "-",
        ]
        try compare((0..<PHP.goldenCount).map { _ in random.concatenation(of: pieces, upTo: 15) })
    }

    @Test func tableIsTrueOfPHP() throws {
        try compare(CookiesTests.cases.map { Array($0.0.utf8) })
    }

    private func compare(_ headers: [[UInt8]]) throws {
        let answers = try PHP.map(
            headers,
            body: "return post('text/plain', '', \"Cookie: $in\\r\\n\");",
            prelude: PHPServer.prelude(script: Self.script)
        )
        for (header, answer) in zip(headers, answers) {
            var expected: [String: [UInt8]?] = [:]
            for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let name = String(validating: decodeBase64(String(words[0])), as: UTF8.self) else { continue }
                expected[name] = words[1] == "array" ? .some(nil) : decodeBase64(String(words[1].dropFirst()))
            }
            // HTTP does not carry white space at the beginning of a header.
            let header = Array(header.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
            for name in Set(expected.keys).union(["PHPSESSID", "a", "b", "a_b"]) {
                let value = Cookies.value(of: name, in: header)
                #expect(value == expected[name] ?? nil, "\(name) in \(describe(header))")
            }
        }
    }
}
