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
        append(ASCII.quote)
        var index = 0
        while true {
            let start = index
            while index < bytes.count, Self.isPlainInJSON(bytes[index]) { index += 1 }
            append(copying: bytes.extracting(start..<index))
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte >= 0x80 {
                let (scalar, length) = UTF8Text.scalar(in: bytes, at: index)
                appendJSONEscape(scalar)
                index += length
                continue
            }
            index += 1
            switch byte {
            case ASCII.quote, ASCII.backslash, ASCII.slash:
                append(ASCII.backslash)
                append(byte)
            case 0x08: appendJSONEscape(letter: "b")
            case 0x09: appendJSONEscape(letter: "t")
            case 0x0a: appendJSONEscape(letter: "n")
            case 0x0c: appendJSONEscape(letter: "f")
            case 0x0d: appendJSONEscape(letter: "r")
            default: appendJSONEscape(codeUnit: UInt16(byte))
            }
        }
        append(ASCII.quote)
    }

    private static func isPlainInJSON(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != ASCII.quote && byte != ASCII.backslash && byte != ASCII.slash
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
        appendJSONEscape(letter: "u")
        append(ASCII.lowercaseHexDigit(codeUnit >> 12))
        append(ASCII.lowercaseHexDigit(codeUnit >> 8 & 0xf))
        append(ASCII.lowercaseHexDigit(codeUnit >> 4 & 0xf))
        append(ASCII.lowercaseHexDigit(codeUnit & 0xf))
    }

    private mutating func appendJSONEscape(letter: Unicode.Scalar) {
        append(ASCII.backslash)
        append(UInt8(ascii: letter))
    }
}
