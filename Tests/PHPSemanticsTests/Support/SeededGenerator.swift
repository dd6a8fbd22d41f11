/// Random numbers that are the same for the same seed, by the SplitMix64 method.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True once in `count` times on average.
    mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// One of the choices, which must not be empty.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }

    /// Up to `maximum` bytes of any value.
    mutating func bytes(upTo maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Up to `maximum` of the pieces, one after the other.
    mutating func concatenation(of pieces: [String], upTo maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &self)).flatMap { _ in Array(pick(pieces).utf8) }
    }

    /// Changes a few bytes: replaces, inserts, removes or doubles some, or cuts the end off.
    mutating func mutate(_ bytes: inout [UInt8], alphabet: [UInt8]) {
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = pick(alphabet)
            case 1: bytes.insert(pick(alphabet), at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
            case 4: bytes.insert(contentsOf: bytes[index...].prefix(10), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
    }
}
