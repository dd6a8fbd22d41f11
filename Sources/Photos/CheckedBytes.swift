/// Reading of untrusted bytes: a position outside gives nil, never a trap.
extension Span where Element == UInt8 {
    /// The byte at `offset`, or nil outside.
    func byte(at offset: Int) -> UInt8? {
        indices.contains(offset) ? self[offset] : nil
    }

    /// The two bytes at `offset` as a number, or nil if they are not both there.
    func number16(at offset: Int, littleEndian: Bool = false) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        let (first, second) = (Int(self[offset]), Int(self[offset + 1]))
        return littleEndian ? second << 8 | first : first << 8 | second
    }

    /// The four bytes at `offset` as a number, or nil if they are not all there.
    func number32(at offset: Int, littleEndian: Bool = false) -> Int? {
        guard
            let first = number16(at: offset, littleEndian: littleEndian),
            offset <= count - 4,
            let second = number16(at: offset + 2, littleEndian: littleEndian)
        else { return nil }
        return littleEndian ? second << 16 | first : first << 16 | second
    }

    /// Whether `expected` stands at `offset`.
    func matches(_ expected: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - expected.count else { return false }
        for index in expected.indices where self[offset + index] != expected[index] { return false }
        return true
    }

    /// Whether the text `expected` stands at `offset`.
    func matches(_ expected: String, at offset: Int) -> Bool {
        var position = offset
        for expectedByte in expected.utf8 {
            guard byte(at: position) == expectedByte else { return false }
            position += 1
        }
        return true
    }

    /// The first place from `start` on which holds 0xFF, the byte that every JPEG marker starts with.
    ///
    /// Eight bytes at a time, since a photo is megabytes of entropy-coded data with few such bytes.
    func firstFF(from start: Int) -> Int? {
        var position = Swift.max(start, 0)
        let words = unsafe bytes
        while position <= count - 8 {
            // The load is bounds-checked; it is called unsafe only because some types have invalid bit patterns.
            let word = unsafe ~words.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            // The usual test for a zero byte in a word.
            if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
            position += 8
        }
        while position < count {
            if self[position] == 0xFF { return position }
            position += 1
        }
        return nil
    }

    /// The bytes in `range`, copied; `range` is cut to what is there.
    func copy(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for offset in range { copy.append(self[offset]) }
        return copy
    }
}
