/// Finds the tags in XML text, well-formed or not, without judging it.
struct XMLScanner {
    /// A tag with its attributes, all by their place in the text.
    struct Tag {
        enum Kind {
            case start
            case end
            /// A start tag that is its own end: `<a/>`.
            case empty
        }

        struct Attribute {
            var name: Range<Int>
            /// Name, equals sign and quoted value.
            var range: Range<Int>
        }

        var kind: Kind
        var name: Range<Int>
        var range: Range<Int>
        var attributes: [Attribute] = []

        /// By how much the tag changes the number of open elements.
        var depthChange: Int {
            switch kind {
            case .start: 1
            case .end: -1
            case .empty: 0
            }
        }
    }

    /// Attributes of one tag that are kept: a made-up one could have millions.
    private static let greatestCount = 4096

    private var position = 0
    /// Whether a tag has more attributes than are kept; then no further one is read.
    private(set) var isExcessive = false

    /// The next tag, or nil at the end of the text.
    mutating func next(in text: Span<UInt8>) -> Tag? {
        while let start = find("<", in: text) {
            if text.matches("<!--", at: start) {
                guard skip(past: "-->", in: text) else { return nil }
            } else if text.matches("<![CDATA[", at: start) {
                guard skip(past: "]]>", in: text) else { return nil }
            } else if text.matches("<?", at: start) {
                guard skip(past: "?>", in: text) else { return nil }
            } else if text.matches("<!", at: start) {
                guard skip(past: ">", in: text) else { return nil }
            } else if let tag = readTag(in: text) {
                return tag
            }
        }
        return nil
    }

    /// Reads the tag that starts here; nil if the text ends within it.
    private mutating func readTag(in text: Span<UInt8>) -> Tag? {
        let start = position
        position += 1
        var kind = Tag.Kind.start
        if text.byte(at: position) == UInt8(ascii: "/") {
            kind = .end
            position += 1
        }
        let name = readName(in: text)
        var attributes: [Tag.Attribute] = []
        while let byte = text.byte(at: position) {
            let before = position
            if byte == UInt8(ascii: ">") {
                position += 1
                return Tag(kind: kind, name: name, range: start..<position, attributes: attributes)
            }
            if byte == UInt8(ascii: "/") {
                if kind == .start { kind = .empty }
                position += 1
            } else if let attribute = readAttribute(in: text) {
                attributes.append(attribute)
                guard attributes.count <= Self.greatestCount else {
                    isExcessive = true
                    position = text.count
                    return nil
                }
            } else if position == before {
                position += 1
            }
        }
        return nil
    }

    /// Reads an attribute if one stands here.
    private mutating func readAttribute(in text: Span<UInt8>) -> Tag.Attribute? {
        let name = readName(in: text)
        guard !name.isEmpty else { return nil }
        skipSpace(in: text)
        guard text.byte(at: position) == UInt8(ascii: "=") else { return nil }
        position += 1
        skipSpace(in: text)
        guard
            let quote = text.byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return nil }
        position += 1
        while let byte = text.byte(at: position) {
            position += 1
            if byte == quote { return Tag.Attribute(name: name, range: name.lowerBound..<position) }
        }
        return nil
    }

    /// Reads a name, which may be empty.
    private mutating func readName(in text: Span<UInt8>) -> Range<Int> {
        let start = position
        while let byte = text.byte(at: position), !Self.endsName(byte) { position += 1 }
        return start..<position
    }

    private mutating func skipSpace(in text: Span<UInt8>) {
        while let byte = text.byte(at: position), Self.isSpace(byte) { position += 1 }
    }

    /// Goes to the next place of a text, if there is one.
    private mutating func find(_ wanted: String, in text: Span<UInt8>) -> Int? {
        while position < text.count {
            if text.matches(wanted, at: position) { return position }
            position += 1
        }
        return nil
    }

    /// Goes behind the next place of a text, if there is one.
    private mutating func skip(past wanted: String, in text: Span<UInt8>) -> Bool {
        guard let found = find(wanted, in: text) else { return false }
        position = found + wanted.utf8.count
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || "=/>\"'<".utf8.contains(byte)
    }
}
