/// The bytes that PHP's formats give a meaning to, and C's character classes in the "C" locale.
enum ASCII {
    static let nul: UInt8 = 0
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let plus = UInt8(ascii: "+")
    static let comma = UInt8(ascii: ",")
    static let minus = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let underscore = UInt8(ascii: "_")
    static let openBrace = UInt8(ascii: "{")
    static let bar = UInt8(ascii: "|")
    static let closeBrace = UInt8(ascii: "}")
    static let zero = UInt8(ascii: "0")

    /// C's `isspace`: space, `\t`, `\n`, `\v`, `\f`, `\r`.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || (9...13).contains(byte)
    }

    /// C's `isdigit`.
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- zero < 10
    }

    /// C's `tolower`.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit of either case, or nil.
    static func hexDigitValue(_ byte: UInt8) -> UInt8? {
        let digit = byte &- zero
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// The digit for a value below 16, in lower case.
    static func lowercaseHexDigit(_ value: UInt16) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: value)
        return digit < 10 ? zero + digit : UInt8(ascii: "a") - 10 + digit
    }
}
