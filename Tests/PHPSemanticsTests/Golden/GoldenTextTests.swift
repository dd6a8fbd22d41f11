import PHPSemantics
import TestSupport
import Testing

/// Random strings, and what the command-line `php` makes of them.
@Suite struct GoldenTextTests {
    @Test func integersAreThoseOfPHP() throws {
        var random = SeededGenerator(seed: PHP.goldenSeed(1))
        let inputs = (0..<PHP.goldenCount).map { _ in TextGenerator.integer(&random) }.filter { !isMisreadByPHP($0) }
        try compare(inputs, with: "return (string) (int) $in;") { Array(String(IntegerCast.integer($0)).utf8) }
    }

    @Test func urlDecodingIsThatOfPHP() throws {
        var random = SeededGenerator(seed: PHP.goldenSeed(2))
        let inputs = (0..<PHP.goldenCount).map { _ in TextGenerator.urlEncoded(&random) }
        try compare(inputs, with: "return urldecode($in);") { URLCoding.decode($0) }
        try compare(inputs, with: "return rawurldecode($in);") { URLCoding.rawDecode($0) }
    }

    @Test func jsonStringsAreThoseOfPHP() throws {
        var random = SeededGenerator(seed: PHP.goldenSeed(3))
        let inputs = (0..<PHP.goldenCount).map { _ in TextGenerator.utf8(&random) }
        try compare(inputs, with: "return json_encode($in, JSON_INVALID_UTF8_SUBSTITUTE);") { input in
            var json: [UInt8] = []
            json.appendJSONString(input)
            return json
        }
    }

    @Test func truthIsThatOfPHP() throws {
        var random = SeededGenerator(seed: PHP.goldenSeed(4))
        let inputs = (0..<PHP.goldenCount).map { _ in random.concatenation(of: ["0", " ", ".", "a"], upTo: 3) }
        try compare(inputs, with: "return $in ? 'true' : 'false';") { Array((phpTruthy($0) ? "true" : "false").utf8) }
    }

    @Test func looseEqualityIsThatOfPHP() throws {
        var random = SeededGenerator(seed: 5)
        let numbers = [
            "0", "1", "10", "1e1", ".5", "0.5", "1e1000", "-", "+", " ", "\n", "9223372036854775807", "e", "x", "00",
        ]
        let inputs = (0..<PHP.goldenCount).map { _ in
            random.concatenation(of: numbers, upTo: 3) + [0] + random.concatenation(of: numbers, upTo: 3)
        }
        try compare(inputs, with: "[$a, $b] = explode(chr(0), $in); return $a == $b ? 'equal' : 'different';") {
            input in
            let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
            return Array((LooseEquality.equal(parts[0], parts[1]) ? "equal" : "different").utf8)
        }
    }

    /// Different on purpose: PHP looks for overflow one digit too late when `e+` or `e-` without a digit follows an
    /// integer of 19 digits, so that 9223372036854775808 with such an end becomes -9223372036854775808.
    private func isMisreadByPHP(_ input: [UInt8]) -> Bool {
        let text = String(decoding: input, as: Unicode.ASCII.self)
        return text.wholeMatch(of: /[\s\v\f]*[+-]?0*9[0-9]{18}[eE][+-]([^0-9].*)?/.dotMatchesNewlines()) != nil
    }

    @Test func integersThatPHPMisreadsSaturate() {
        #expect(IntegerCast.integer(Array("9223372036854775808e-".utf8)) == .max)
        #expect(isMisreadByPHP(Array("9223372036854775808e-".utf8)))
    }

    private func compare(_ inputs: [[UInt8]], with body: String, _ ours: ([UInt8]) -> [UInt8]) throws {
        for (input, expected) in zip(inputs, try PHP.map(inputs, body: body)) {
            let got = ours(input)
            #expect(got == expected, "\(describe(input)): \(describe(got)), not \(describe(expected))")
        }
    }
}
