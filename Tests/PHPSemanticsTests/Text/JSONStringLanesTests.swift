import PHPSemantics
import TestSupport
import Testing

/// Text is escaped eight bytes at a time; whatever stands where must not make a difference.
@Suite struct JSONStringLanesTests {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)

    /// What is to be escaped at the border of two words, whole and broken.
    private static let characters: [[UInt8]] = [
        Array("é".utf8), Array("日".utf8), Array("😀".utf8), Array("\u{80}\u{7ff}".utf8), Array("éé日😀".utf8),
        [0xc3], [0xe6, 0x97], [0xf0, 0x9f, 0x98], [0xf0, 0x9f], [0xf0], [0x80], [0xbf, 0xbf, 0xbf], [0xed, 0xa0, 0x80],
        [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xc2, 0xc2, 0x80], [0xe1, 0x41, 0x80],
        [0xc3, 0x22], [0xc3, 0x00],
    ]

    @Test func everyByteAtEveryLane() {
        for length in 1...17 {
            for position in 0..<length {
                for byte in UInt8.min ... .max {
                    var text = Array(Self.letters.prefix(length))
                    text[position] = byte
                    expectSame(text)
                }
            }
        }
    }

    /// A subtraction in one byte must not reach the next.
    @Test func everyPairOfBytes() {
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                expectSame(Self.letters.prefix(3) + [first, second] + Self.letters.prefix(4))
            }
        }
    }

    @Test(arguments: characters)
    func charactersAtEveryLane(character: [UInt8]) {
        for before in 0...17 {
            for after in 0...9 {
                expectSame(Self.letters.prefix(before) + character + Self.letters.prefix(after))
                expectSame(Self.letters.prefix(before) + character + character + Self.letters.prefix(after))
            }
        }
    }

    /// The longest results, and runs that end with the text.
    @Test(arguments: ["a", "\0", "\"", "é", "日", "😀"].map { Array($0.utf8) } + [[0xff]])
    func textOfOneCharacter(character: [UInt8]) {
        for count in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 64, 1000, 100_003] {
            expectSame(Array(repeatElement(character, count: count).joined()))
        }
    }

    @Test func textInsideOther() {
        let whole = Array("\"\\/\u{1}abcdefghijklmnopqrstu\u{1}\"\\/".utf8)
        for start in whole.indices {
            for end in start...whole.count {
                var json: [UInt8] = []
                json.appendJSONString(whole.span.extracting(start..<end))
                #expect(json == Self.reference(Array(whole[start..<end])))
            }
        }
    }

    @Test func randomText() {
        var random = SeededGenerator(seed: 1)
        let pieces = [
            "a", "b ", "hill", "Evening in the hills", "\"", "\\", "/", "\n", "\0", "\u{7f}", "é", "日", "😀",
            "\u{10ffff}",
        ]
        for _ in 0..<5000 {
            var text = random.concatenation(of: pieces, upTo: 12)
            expectSame(text)
            random.mutate(&text, alphabet: [0x1f, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0xbf, 0xc3, 0xe6, 0xf0, 0xff])
            expectSame(text)
            expectSame(random.bytes(upTo: 40))
        }
    }

    private func expectSame(_ text: [UInt8]) {
        var json = Array("x".utf8)
        json.appendJSONString(text)
        let expected = Self.reference(text)
        // Not spelt out by the macro, which takes its time for each of a hundred thousand.
        if json.dropFirst() != expected[...] {
            let (found, wanted) = (String(decoding: json, as: UTF8.self), String(decoding: expected, as: UTF8.self))
            Issue.record("\(text.prefix(100)): \(found.prefix(300)), not \(wanted.prefix(300))")
        }
    }

    /// The JSON string, one character after the other.
    private static func reference(_ text: [UInt8]) -> [UInt8] {
        var json = "\""
        var rest = text[...]
        while let first = rest.first {
            let announced = [0xc2...0xdf, 0xe0...0xef, 0xf0...0xf4].firstIndex { $0 ~= first }.map { $0 + 2 } ?? 1
            let others = rest.dropFirst().prefix(announced - 1).prefix { $0 >= 0x80 && !(0xc2...0xf4 ~= $0) }
            let character = rest.prefix(1 + others.count)
            rest = rest.dropFirst(character.count)
            let isWhole = character.count == announced
            let valid = isWhole ? String(validating: character, as: UTF8.self) : nil
            json += escaped(valid ?? "\u{fffd}")
        }
        return Array((json + "\"").utf8)
    }

    private static func escaped(_ character: String) -> String {
        switch character {
        case "\"", "\\", "/": return "\\" + character
        case "\u{8}": return "\\b"
        case "\t": return "\\t"
        case "\n": return "\\n"
        case "\u{c}": return "\\f"
        case "\r": return "\\r"
        case " "..."\u{7f}" where character.utf8.count == 1: return character
        default:
            return character.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}
