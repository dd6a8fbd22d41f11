import TestSupport

/// Random strings of the kinds that the text functions have to get right.
enum TextGenerator {
    static func integer(_ random: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            " ", "\t", "\n", "\r", "\u{b}", "\u{c}", "\0", "+", "-", "-", ".", "e", "E", "0", "00", "1", "2", "5", "9",
            "12", "99999999", "9223372036854775807", "9223372036854775808", "92233720368547758", "1e18", "e19", "0x1A",
            "a", ",", "_", "e-1", "e+2", ".5", ".99999999999999999", "e308", "e309", "e99999999999999999999",
            "\u{a0}", "INF", "1797693134862315",
        ]
        var text = random.concatenation(of: pieces, upTo: 6)
        if random.oneIn(3) { text = Array("\(random.pick(["", "-", " ", "+"]))".utf8) + digits(&random) }
        if random.oneIn(6) { text += [UInt8](ascii: ".") + digits(&random) }
        if random.oneIn(100) {
            text = [UInt8](repeating: UInt8(ascii: random.pick(["1", "9", "0"])), count: 300) + text
        }
        if random.oneIn(100) {
            text =
                Array("0.".utf8)
                + [UInt8](repeating: UInt8(ascii: "0"), count: Int.random(in: 1...20010, using: &random))
                + Array("12345e\(Int.random(in: 0...20020, using: &random))".utf8)
        }
        return text
    }

    private static func digits(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...25, using: &random)).map { _ in
            UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
        }
    }

    static func urlEncoded(_ random: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text += Array("%".utf8)
            case 1:
                text += random.concatenation(
                    of: ["%41", "%2b", "%2F", "%00", "%fF", "+", "%%", "%4", "%g1", "%1G"],
                    upTo: 2
                )
            case 2: text += random.concatenation(of: ["a", "F", "0", "g", "/", ":", "@", "`", " "], upTo: 3)
            default: text += random.bytes(upTo: 3)
            }
        }
        return text
    }

    static func utf8(_ random: inout SeededGenerator) -> [UInt8] {
        let edges: [UInt8] = [
            0x00, 0x1f, 0x22, 0x2f, 0x5c, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
            0xe1,
            0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff,
        ]
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text += random.bytes(upTo: 4)
            case 1: text += (0..<3).map { _ in random.pick(edges) }
            case 2: text += Array(String(random.pick(["é", "ü", "\u{2028}", "日", "\u{ffff}", "😀", "\u{10ffff}"])).utf8)
            default:
                text += random.concatenation(
                    of: ["a", "\"", "\\", "/", "<", "\u{8}", "\t", "\n", "\u{c}", "\r", "\0"],
                    upTo: 4
                )
            }
        }
        return text
    }
}

extension [UInt8] {
    init(ascii scalar: Unicode.Scalar) {
        self = [UInt8(ascii: scalar)]
    }
}
