/// The parameters of a part's `Content-Disposition`, read as PHP does.
struct ContentDisposition: Equatable {
    /// The parameter `name`, or nil.
    private(set) var name: [UInt8]?
    /// The parameter `filename`, or nil.
    private(set) var fileName: [UInt8]?

    /// Reads a field's value; of equal parameters the last one counts, and the type before them may be anything.
    init(_ value: [UInt8]) {
        var rest = value.drop(while: ASCII.isSpace)
        while !rest.isEmpty {
            var pair = Self.word(from: &rest, to: ASCII.semicolon)
            rest = rest.drop(while: ASCII.isSpace)
            guard pair.contains(ASCII.equals) else { continue }
            let key = Self.word(from: &pair, to: ASCII.equals)
            if key.equalsIgnoringCase("name") {
                name = Self.unquoted(pair)
            } else if key.equalsIgnoringCase("filename") {
                fileName = Self.unquoted(pair)
            }
        }
    }

    /// Takes what stands before `stop`, and any number of `stop`s; quoted text, in either kind of quotes, may have
    /// `stop` in it.
    private static func word(from text: inout ArraySlice<UInt8>, to stop: UInt8) -> ArraySlice<UInt8> {
        var index = text.startIndex
        while index < text.endIndex, text[index] != stop {
            let quote = text[index]
            index += 1
            guard quote == ASCII.quote || quote == ASCII.apostrophe else { continue }
            while index < text.endIndex, text[index] != quote {
                let isEscape = text[index] == ASCII.backslash && index + 1 < text.endIndex && text[index + 1] == quote
                index += isEscape ? 2 : 1
            }
            if index < text.endIndex { index += 1 }
        }
        let word = text[..<index]
        text = text[index...].drop { $0 == stop }
        return word
    }

    /// The value of a parameter: without its quotes and their escapes, or up to white space if it has none.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = text.drop(while: ASCII.isSpace)
        let quote = text.first == ASCII.quote || text.first == ASCII.apostrophe ? text.first : nil
        text = quote == nil ? text.prefix { !ASCII.isSpace($0) } : text.dropFirst()
        var value: [UInt8] = []
        value.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex, text[index] != quote {
            if text[index] == ASCII.backslash, index + 1 < text.endIndex,
                text[index + 1] == ASCII.backslash || text[index + 1] == quote
            {
                index += 1
            }
            value.append(text[index])
            index += 1
        }
        return value
    }
}
