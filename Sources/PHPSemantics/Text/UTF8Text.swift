/// UTF-8 as PHP's JSON encoder steps through it.
enum UTF8Text {
    private static let replacement: UInt32 = 0xfffd

    /// The scalar value at `start`, and how many bytes it takes.
    ///
    /// Malformed text yields U+FFFD. It takes the bytes up to the next one that may begin a character, but never more
    /// than its first byte announces; text that is overlong, a surrogate or beyond U+10FFFF is taken whole.
    /// - Parameters:
    ///   - bytes: the text.
    ///   - start: the position of a byte of 0x80 or more.
    static func scalar(in bytes: Span<UInt8>, at start: Int) -> (value: UInt32, length: Int) {
        let lead = bytes[start]
        // Most text beyond ASCII is of such characters.
        if 0xc2...0xdf ~= lead, start + 1 < bytes.count, bytes[start + 1] & 0xc0 == 0x80 {
            return (UInt32(lead & 0x1f) << 6 | UInt32(bytes[start + 1] & 0x3f), 2)
        }
        let announced: Int
        let smallest: UInt32
        var value: UInt32
        switch lead {
        case 0xc2...0xdf: (announced, smallest, value) = (2, 0x80, UInt32(lead & 0x1f))
        case 0xe0...0xef: (announced, smallest, value) = (3, 0x800, UInt32(lead & 0x0f))
        case 0xf0...0xf4: (announced, smallest, value) = (4, 0x10000, UInt32(lead & 0x07))
        default: return (replacement, 1)
        }
        var length = 1
        var isComplete = true
        while length < announced, start + length < bytes.count, !mayBegin(bytes[start + length]) {
            let byte = bytes[start + length]
            isComplete = isComplete && byte & 0xc0 == 0x80
            value = value << 6 | UInt32(byte & 0x3f)
            length += 1
        }
        guard isComplete, length == announced, value >= smallest, Unicode.Scalar(value) != nil else {
            return (replacement, length)
        }
        return (value, length)
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte < 0x80 || (0xc2...0xf4).contains(byte)
    }
}
