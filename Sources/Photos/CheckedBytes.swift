internal import Glibc

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
    /// By the C library, since a photo is megabytes of entropy-coded data with few such bytes.
    func firstFF(from start: Int) -> Int? {
        let start = Swift.max(start, 0)
        guard start < count else { return nil }
        let rest = extracting(start...)
        let offset = unsafe rest.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            return unsafe memchr(base, 0xFF, bytes.count).map { unsafe UnsafeRawPointer($0) - base }
        }
        return offset.map { start + $0 }
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
