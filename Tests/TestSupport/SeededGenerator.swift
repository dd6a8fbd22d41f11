/// Random numbers that are the same for the same seed, by the SplitMix64 method.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Numbers that follow from a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True once in `count` times on average.
    public mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// One of the choices, which must not be empty.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }
}
