/// A piece of nginx's configuration.
enum NginxToken: Equatable {
    /// A name or argument, without its quotes.
    case word(String)
    /// `;`
    case end
    /// `{`
    case open
    /// `}`
    case close

    /// Splits a configuration; comments are left out.
    ///
    /// As nginx does it: quotes and `#` mean something only at a word's beginning, and a word ends at a blank, `;` or
    /// `{`. In `${name}` the brace is part of the word.
    static func tokens(of bytes: [UInt8]) -> [NginxToken] {
        var tokens: [NginxToken] = []
        var rest = bytes[...]
        while let byte = rest.first {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                rest.removeFirst()
            case UInt8(ascii: "#"):
                rest = rest.drop { $0 != 0x0A }
            case UInt8(ascii: ";"):
                tokens.append(.end)
                rest.removeFirst()
            case UInt8(ascii: "{"):
                tokens.append(.open)
                rest.removeFirst()
            case UInt8(ascii: "}"):
                tokens.append(.close)
                rest.removeFirst()
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                rest.removeFirst()
                tokens.append(.word(word(&rest) { $0 == byte }))
                rest = rest.dropFirst()
            default:
                tokens.append(.word(word(&rest) { [0x20, 0x09, 0x0A, 0x0D, 0x3B, 0x7B].contains($0) }))
            }
        }
        return tokens
    }

    private static func word(_ rest: inout ArraySlice<UInt8>, until isEnd: (UInt8) -> Bool) -> String {
        var word: [UInt8] = []
        while let byte = rest.first {
            let isVariable = byte == UInt8(ascii: "{") && word.last == UInt8(ascii: "$")
            guard isVariable || !isEnd(byte) else {
                break
            }
            rest.removeFirst()
            if byte == UInt8(ascii: "\\"), let next = rest.first, isEnd(next) || next == byte {
                word.append(next)
                rest.removeFirst()
            } else {
                word.append(byte)
            }
        }
        return String(decoding: word, as: UTF8.self)
    }
}
