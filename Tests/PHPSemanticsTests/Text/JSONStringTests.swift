import PHPSemantics
import Testing

@Suite struct JSONStringTests {
    private func json(_ bytes: [UInt8]) -> String {
        var output = Array("x".utf8)
        output.appendJSONString(bytes)
        output.appendJSONString(bytes[...].dropFirst(0))
        let text = String(decoding: output, as: UTF8.self).dropFirst()
        let half = text.prefix(text.count / 2)
        #expect(text == half + half, "a slice is escaped as an array is")
        return String(half)
    }

    @Test(arguments: [
        ("", #""""#), ("bob", #""bob""#), (#"a"b\c/d"#, #""a\"b\\c\/d""#), ("\u{8}\u{c}\n\r\t", #""\b\f\n\r\t""#),
        ("\u{0}\u{1}\u{b}\u{1f}", #""\u0000\u0001\u000b\u001f""#), ("\u{7f} ~", "\"\u{7f} ~\""), ("<>&'", #""<>&'""#),
        ("é", #""\u00e9""#), ("日本", #""\u65e5\u672c""#),
        ("\u{80}\u{7ff}\u{800}\u{ffff}", #""\u0080\u07ff\u0800\uffff""#),
        ("😀", #""\ud83d\ude00""#), ("\u{10000}\u{10ffff}", #""\ud800\udc00\udbff\udfff""#),
        ("\u{2028}\u{2029}", #""\u2028\u2029""#),
        ("\u{d7ff}\u{e000}\u{fffd}", #""\ud7ff\ue000\ufffd""#),
    ])
    func text(_ text: String, _ expected: String) {
        #expect(json(Array(text.utf8)) == expected)
    }

    /// Malformed UTF-8, as PHP's `JSON_INVALID_UTF8_SUBSTITUTE` takes it.
    @Test(
        arguments: [
            ([0x80], "?"), ([0xbf, 0xbf], "??"), ([0xc0, 0xaf], "??"), ([0xc1, 0x41], "?A"), ([0xc2], "?"),
            ([0xc2, 0x41], "?A"),
            ([0xc2, 0xc2, 0x80], "?\\u0080"), ([0xe0, 0x80, 0x80], "?"), ([0xe0, 0x9f, 0xbf], "?"),
            ([0xe1, 0x80], "?"),
            ([0xe1, 0x80, 0x41], "?A"), ([0xe1, 0x41, 0x80], "?A?"), ([0xed, 0xa0, 0x80], "?"),
            ([0xed, 0xbf, 0xbf, 0x41], "?A"),
            ([0xf0, 0x80, 0x80, 0x80], "?"), ([0xf0, 0x8f, 0xbf, 0xbf], "?"), ([0xf0, 0x9f, 0x98], "?"),
            ([0xf0, 0x9f, 0x41], "?A"),
            ([0xf4, 0x90, 0x80, 0x80], "?"), ([0xf5, 0x80], "??"), ([0xff, 0xfe, 0x41], "??A"),
            ([0xe1, 0xff, 0x41], "?A"),
        ] as [([UInt8], String)]
    )
    func malformed(bytes: [UInt8], expected: String) {
        #expect(json(bytes) == "\"" + expected.replacing("?", with: "\\ufffd") + "\"")
    }

    /// The iPhone client's passwords are bytes of any value, and titles may be as well.
    @Test func everyByteYieldsASCIIOnOneLine() {
        for byte in UInt8.min ... .max {
            var output: [UInt8] = []
            output.appendJSONString([byte, byte])
            #expect(output.allSatisfy { (0x20..<0x80).contains($0) })
        }
    }
}
