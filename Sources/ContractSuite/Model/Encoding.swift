/// Percent-encodes all but letters, digits, `-`, `.` and `_`.
func percentEncoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.reduce(into: []) { result, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            result.append(byte)
        default:
            result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}

/// What PHP's `urldecode` makes of bytes: `+` becomes a space, `%` with two hexadecimal digits a byte.
func urlDecoded(_ bytes: [UInt8]) -> [UInt8] {
    func value(_ index: Int) -> UInt8? {
        guard index < bytes.count else { return nil }
        return Character(Unicode.Scalar(bytes[index])).hexDigitValue.map(UInt8.init)
    }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "%"), let high = value(index + 1), let low = value(index + 2) {
            result.append(high << 4 | low)
            index += 3
        } else {
            result.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
            index += 1
        }
    }
    return result
}

extension Template {
    /// Encoded for a urlencoded body.
    var percentEncodedOnce: Template {
        mapBytes { percentEncoded($0) }
    }

    /// `bytes` such that the backend's second decoding of `username`, `password` and `title` gives them back.
    static func decodedTwice(_ template: Template) -> Template {
        template.percentEncodedOnce
    }
}
