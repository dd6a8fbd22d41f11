extension [UInt8] {
    /// Appends a JSON string, quotes included, escaped as PHP's `json_encode` does by default.
    ///
    /// The result is ASCII: `"`, `\` and `/` are escaped by a backslash, control characters as `\b \f \n \r \t` or
    /// `\u00XX`, everything beyond ASCII as `\uXXXX` in lower case, with surrogate pairs beyond U+FFFF. DEL stays as
    /// it is. Malformed UTF-8 becomes `\ufffd`, as `JSON_INVALID_UTF8_SUBSTITUTE` has it.
    /// - Parameter bytes: the text in UTF-8; any bytes are allowed.
    public mutating func appendJSONString(_ bytes: some Collection<UInt8>) {
        appendJSONString(Array(bytes).span)
    }

    /// Appends a JSON string, as the overload for collections does.
    /// - Parameter bytes: the text in UTF-8; any bytes are allowed.
    public mutating func appendJSONString(_ bytes: Span<UInt8>) {
        append(addingCapacity: JSONString.room(for: bytes.count)) { $0.appendJSONString(bytes) }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Appends a JSON string, as the method of arrays does.
    /// - Parameter bytes: the text in UTF-8; any bytes are allowed. There has to be `JSONString.room` for them.
    public mutating func appendJSONString(_ bytes: Span<UInt8>) {
        append(ASCII.quote)
        var index = 0
        while index < bytes.count {
            guard bytes[index] < 0x80 else {
                let (scalar, length) = UTF8Text.scalar(in: bytes, at: index)
                appendJSONEscape(scalar)
                index += length
                continue
            }
            let word = bytes.word(at: index)
            let plain = JSONString.plainBytes(of: word)
            append(lowest: plain, of: word)
            index += plain
            // What stands for bytes beyond the end has ended the run as well.
            if plain < 8, index < bytes.count, bytes[index] < 0x80 {
                appendJSONEscape(ascii: bytes[index])
                index += 1
            }
        }
        append(ASCII.quote)
    }

    private mutating func appendJSONEscape(ascii byte: UInt8) {
        switch byte {
        case ASCII.quote, ASCII.backslash, ASCII.slash: appendJSONEscape(letter: byte)
        case 0x08: appendJSONEscape(letter: UInt8(ascii: "b"))
        case 0x09: appendJSONEscape(letter: UInt8(ascii: "t"))
        case 0x0a: appendJSONEscape(letter: UInt8(ascii: "n"))
        case 0x0c: appendJSONEscape(letter: UInt8(ascii: "f"))
        case 0x0d: appendJSONEscape(letter: UInt8(ascii: "r"))
        default: appendJSONEscape(codeUnit: UInt16(byte))
        }
    }

    private mutating func appendJSONEscape(_ scalar: UInt32) {
        guard scalar > 0xffff else {
            appendJSONEscape(codeUnit: UInt16(scalar))
            return
        }
        let offset = scalar - 0x10000
        appendJSONEscape(codeUnit: UInt16(0xd800 | offset >> 10))
        appendJSONEscape(codeUnit: UInt16(0xdc00 | offset & 0x3ff))
    }

    private mutating func appendJSONEscape(codeUnit: UInt16) {
        let prefix = UInt64(ASCII.backslash) | UInt64(UInt8(ascii: "u")) << 8
        append(lowest: 6, of: prefix | JSONString.hexDigits(of: codeUnit) << 16)
    }

    private mutating func appendJSONEscape(letter: UInt8) {
        append(ASCII.backslash)
        append(letter)
    }
}

/// The size of JSON strings, and which bytes stay as they are in them.
public enum JSONString {
    /// How much room `appendJSONString` wants for a text of `count` bytes.
    ///
    /// A control character and a byte of malformed text become six bytes; characters of two, three and four bytes become
    /// six, six and twelve. There are the quotes, and the last escape is written as eight bytes.
    public static func room(for count: Int) -> Int { 6 * count + 4 }

    /// How many bytes of `word`, from the lowest one on, can stand in a JSON string as they are.
    ///
    /// Each subtraction sets the highest bit of a byte that is below what is subtracted, and borrows from the next byte
    /// only then; what is beyond ASCII has that bit already. So the lowest of these bits is right.
    fileprivate static func plainBytes(of word: UInt64) -> Int {
        let controls = word &- every(0x20)
        let quotes = (word ^ every(ASCII.quote)) &- every(1)
        let backslashes = (word ^ every(ASCII.backslash)) &- every(1)
        let slashes = (word ^ every(ASCII.slash)) &- every(1)
        return ((word | controls | quotes | backslashes | slashes) & every(0x80)).trailingZeroBitCount / 8
    }

    /// The four digits of a code unit, the first one lowest.
    fileprivate static func hexDigits(of codeUnit: UInt16) -> UInt64 {
        let unit = UInt64(codeUnit)
        let values = unit >> 12 | (unit & 0xf00) | (unit & 0xf0) << 12 | (unit & 0xf) << 24
        // Ten and more become sixteen and more: one for each digit that is a letter.
        let letters = (values &+ 0x0606_0606) >> 4 & 0x0101_0101
        let distance = UInt64(UInt8(ascii: "a") - 10 - ASCII.zero)
        return values &+ 0x3030_3030 &+ letters &* distance
    }

    /// A word of eight equal bytes.
    private static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
