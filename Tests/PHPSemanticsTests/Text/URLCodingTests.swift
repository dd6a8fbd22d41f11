import PHPSemantics
import Testing

@Suite struct URLCodingTests {
    @Test(arguments: [
        ("", "", ""), ("abc", "abc", "abc"), ("a+b", "a b", "a+b"), ("%41%62", "Ab", "Ab"), ("%2B%2b", "++", "++"),
        ("%00", "\0", "\0"),
        ("%", "%", "%"), ("%4", "%4", "%4"), ("%zz", "%zz", "%zz"), ("%4z", "%4z", "%4z"), ("%z4", "%z4", "%z4"),
        ("%%41", "%A", "%A"),
        ("%2541", "%41", "%41"), ("%+41", "% 41", "%+41"), ("%C3%A9", "é", "é"), ("é", "é", "é"),
        ("%4%31", "%41", "%41"),
        ("%@A%:0%`a%g0", "%@A%:0%`a%g0", "%@A%:0%`a%g0"),
    ])
    func decoding(text: String, decoded: String, rawDecoded: String) {
        #expect(URLCoding.decode(Array(text.utf8)) == Array(decoded.utf8))
        #expect(URLCoding.rawDecode(Array(text.utf8)) == Array(rawDecoded.utf8))
    }

    @Test func everyByte() {
        for byte in UInt8.min ... .max {
            for digits in [String(byte, radix: 16), String(byte, radix: 16, uppercase: true)] {
                let escape = "%" + (digits.count < 2 ? "0" : "") + digits
                #expect(URLCoding.decode(Array(escape.utf8)) == [byte])
            }
        }
    }

    @Test func slices() {
        let bytes = Array("x%41%4".utf8)
        #expect(URLCoding.decode(bytes[1..<4]) == Array("A".utf8))
        #expect(URLCoding.decode(bytes[1..<3]) == Array("%4".utf8))
    }

    @Test(arguments: [
        ("", false), ("0", false), ("00", true), (" ", true), ("0.0", true), ("1", true), ("false", true),
    ])
    func truth(text: String, isTruthy: Bool) {
        #expect(phpTruthy(Array(text.utf8)) == isTruthy)
    }
}
