/// Reads the pieces of PHP's `serialize` format, each after the letter of its type.
struct ByteReader {
    typealias Malformed = Unserializer.Malformed

    private let bytes: [UInt8]
    /// The position of the next byte.
    private(set) var index = 0

    /// Starts at the beginning of `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether everything was read.
    var isAtEnd: Bool { index == bytes.count }
    /// How many bytes are left.
    var remaining: Int { bytes.count - index }

    // MARK: Bytes

    /// The next byte.
    mutating func next() throws(Malformed) -> UInt8 {
        guard index < bytes.count else { throw Malformed() }
        index += 1
        return bytes[index - 1]
    }

    /// Skips a byte that has to be there.
    mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard try next() == byte else { throw Malformed() }
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw Malformed() }
        index += count
        return bytes[index - count..<index]
    }

    /// Moves to the byte after the next `delimiter`, and says where what stands before it is.
    mutating func skip(to delimiter: UInt8) throws(Malformed) -> Range<Int> {
        guard let end = bytes[index...].firstIndex(of: delimiter) else { throw Malformed() }
        let start = index
        index = end + 1
        return start..<end
    }

    // MARK: Values

    /// A boolean: `:0;` or `:1;`.
    mutating func boolean() throws(Malformed) -> Bool {
        try expect(ASCII.colon)
        let digit = try next()
        guard digit == ASCII.zero || digit == ASCII.zero + 1 else { throw Malformed() }
        try expect(ASCII.semicolon)
        return digit != ASCII.zero
    }

    /// An integer: `:-13;`, saturated at 64 bits.
    mutating func integer() throws(Malformed) -> Int64 {
        let start = index
        let number = try decimal()
        guard number.isInteger else { throw Malformed() }
        return number.integer(bytes.span) ?? (bytes[start + 1] == ASCII.minus ? .min : .max)
    }

    /// A double: `:0.5;`, `:1.0E+25;`, `:NAN;`, `:INF;` or `:-INF;`.
    mutating func double() throws(Malformed) -> Double {
        for (text, value) in Self.specialDoubles where bytes[index...].starts(with: text) {
            index += text.count
            return value
        }
        return try decimal().double(bytes.span)
    }

    private static let specialDoubles: [([UInt8], Double)] = [
        (Array(":NAN;".utf8), .nan), (Array(":INF;".utf8), .infinity), (Array(":-INF;".utf8), -.infinity),
    ]

    private mutating func decimal() throws(Malformed) -> DecimalText {
        try expect(ASCII.colon)
        guard let number = DecimalText(bytes.span, at: index) else { throw Malformed() }
        index = number.end
        try expect(ASCII.semicolon)
        return number
    }

    /// A string: `:2:"13";`.
    mutating func string() throws(Malformed) -> [UInt8] {
        let value = try take(try length(before: ASCII.quote))
        try expect(ASCII.quote)
        try expect(ASCII.semicolon)
        return Array(value)
    }

    /// A string with escapes: `:2:"\31\33";`, where the length is that of the decoded string.
    mutating func escapedString() throws(Malformed) -> [UInt8] {
        let count = try length(before: ASCII.quote)
        guard count <= remaining else { throw Malformed() }
        var value: [UInt8] = []
        for _ in 0..<count {
            var byte = try next()
            if byte == ASCII.backslash {
                guard let high = ASCII.hexDigitValue(try next()), let low = ASCII.hexDigitValue(try next()) else {
                    throw Malformed()
                }
                byte = high << 4 | low
            }
            value.append(byte)
        }
        try expect(ASCII.quote)
        try expect(ASCII.semicolon)
        return value
    }

    /// The name of a class: `:3:"Foo"`.
    mutating func className() throws(Malformed) {
        let name = try take(try length(before: ASCII.quote))
        guard Self.isClassName(name) else { throw Malformed() }
        try expect(ASCII.quote)
    }

    /// A case of an enumeration: `:11:"Suit:Hearts";`.
    mutating func enumerationCase() throws(Malformed) {
        let name = try take(try length(before: ASCII.quote))
        guard let colon = name.firstIndex(of: ASCII.colon), Self.isClassName(name[..<colon]) else { throw Malformed() }
        try expect(ASCII.quote)
        try expect(ASCII.semicolon)
    }

    private static func isClassName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, first != ASCII.backslash else { return false }
        return name.allSatisfy { byte in
            byte >= 0x80 || byte == ASCII.underscore || byte == ASCII.backslash || ASCII.isDigit(byte)
                || ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26
        }
    }

    // MARK: Numbers

    /// The number of a value: `:13;`.
    mutating func number() throws(Malformed) -> Int {
        try expect(ASCII.colon)
        let number = try digits()
        try expect(ASCII.semicolon)
        return number
    }

    /// A length: `:13:`, and the byte after it.
    mutating func length(before delimiter: UInt8) throws(Malformed) -> Int {
        try expect(ASCII.colon)
        let length = try digits()
        try expect(ASCII.colon)
        try expect(delimiter)
        return length
    }

    /// A length: `:13:`, and the byte after it, where PHP also takes a sign, or nothing for 0.
    mutating func signedLength(before delimiter: UInt8) throws(Malformed) -> Int {
        try expect(ASCII.colon)
        var length = 0
        if let number = DecimalText(bytes.span, at: index) {
            guard number.isInteger, let value = number.integer(bytes.span), value >= 0 else { throw Malformed() }
            length = Int(value)
            index = number.end
        } else if index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
            index += 1
        }
        try expect(ASCII.colon)
        try expect(delimiter)
        return length
    }

    private mutating func digits() throws(Malformed) -> Int {
        let start = index
        var value = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int(bytes[index] - ASCII.zero))
            guard !tooLarge, !carried else { throw Malformed() }
            value = sum
            index += 1
        }
        guard index > start else { throw Malformed() }
        return value
    }
}
