import TestSupport

/// Random session files: sound ones, with all types of values and references, and damaged ones.
struct SessionGenerator {
    private var random: SeededGenerator
    /// Numbered values so far, and which of them are objects.
    private var isObject: [Bool] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A session in the format that PHP writes or, if `isDamaged`, in something near it.
    mutating func session(mayBeDamaged: Bool) -> [UInt8] {
        isObject = []
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let key = random.pick([
                "IdUser", "IdUser", "a", "b", "c", "", "0", "iduser", "IdUser ", "x y", "!a", ";", "é",
            ])
            bytes += Array("\(key)|".utf8) + value(depth: 0)
        }
        if mayBeDamaged, random.oneIn(2) {
            random.mutate(&bytes, alphabet: Array(#"|;:"{}0123456789-+.aINbidsSOCERrIdUser\"#.utf8))
        }
        return bytes
    }

    private mutating func value(depth: Int) -> [UInt8] {
        if random.oneIn(8), !isObject.isEmpty { return reference() }
        isObject.append(false)
        switch Int.random(in: 0..<(depth < 4 ? 12 : 8), using: &random) {
        case 0: return Array("N;".utf8)
        case 1: return Array(random.pick(["b:0;", "b:1;"]).utf8)
        case 2, 3: return Array("i:\(random.pick(Self.integers));".utf8)
        case 4: return Array("d:\(random.pick(Self.doubles));".utf8)
        case 5: return escapedString()
        case 6, 7: return string()
        case 8, 9: return array(depth: depth)
        case 10: return object(depth: depth)
        default: return random.oneIn(2) ? custom() : enumeration()
        }
    }

    private static let integers = [
        "0", "1", "13", "-1", "+7", "007", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "99999999999999999999",
    ]
    private static let doubles = [
        "0", "0.5", "-0", "13", "2.9", ".5", "1.", "1.5E+25", "1e400", "-1.e-3", "+3", "NAN", "INF", "-INF", "1e-400",
        "9007199254740993", "9.2233720368547758E+18",
    ]

    private mutating func reference() -> [UInt8] {
        let objects = isObject.indices.filter { isObject[$0] }
        if random.oneIn(10) {
            isObject.append(true)
            return Array("r:\(Int.random(in: 0...isObject.count + 1, using: &random));".utf8)
        }
        if !objects.isEmpty, random.oneIn(2) {
            isObject.append(true)
            return Array("r:\(random.pick(objects) + 1);".utf8)
        }
        let last = random.oneIn(10) ? isObject.count + 1 : isObject.count
        return Array("R:\(Int.random(in: 1...last, using: &random));".utf8)
    }

    private mutating func string() -> [UInt8] {
        let text = random.concatenation(
            of: ["", "0", "1", "13", " 7", "%31", "a", "IdUser|s:1:\"1\";", "|", ";", "\"", "}", "\0", "é"],
            upTo: 3
        )
        return Array("s:\(text.count):\"".utf8) + text + Array("\";".utf8)
    }

    private mutating func escapedString() -> [UInt8] {
        random.pick(
            [#"S:1:"\31";"#, #"S:2:"a\00";"#, #"S:0:"";"#, #"S:1:"x";"#, #"S:2:"\fF\5c";"#].map { Array($0.utf8) }
        )
    }

    private mutating func array(depth: Int) -> [UInt8] {
        let count = Int.random(in: 0...3, using: &random)
        var bytes = Array("a:\(count):{".utf8)
        for index in 0..<count {
            let key = random.oneIn(2) ? "i:\(index);" : "s:2:\"k\(index)\";"
            bytes += Array(key.utf8) + value(depth: depth + 1)
        }
        return bytes + Array("}".utf8)
    }

    private mutating func object(depth: Int) -> [UInt8] {
        isObject[isObject.count - 1] = true
        let count = Int.random(in: 0...2, using: &random)
        let name = random.pick(["Foo", "stdClass", "A\\B", "_1", "\u{e9}"])
        var bytes = Array("O:\(name.utf8.count):\"\(name)\":\(count):{".utf8)
        for index in 0..<count {
            let key = random.pick(["s:2:\"p\(index)\";", "s:4:\"\0*\0\(index)\";"])
            bytes += Array(key.utf8) + value(depth: depth + 1)
        }
        return bytes + Array("}".utf8)
    }

    private mutating func custom() -> [UInt8] {
        isObject[isObject.count - 1] = true
        return random.pick(
            ["C:3:\"Foo\":3:{a}b}", "C:3:\"Bar\":0:{}", "C:3:\"Foo\":8:{IdUser|i}"].map { Array($0.utf8) }
        )
    }

    private mutating func enumeration() -> [UInt8] {
        isObject[isObject.count - 1] = true
        return Array("E:11:\"Suit:Hearts\";".utf8)
    }
}
