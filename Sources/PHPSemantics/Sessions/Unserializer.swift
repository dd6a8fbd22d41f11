/// Steps through values in PHP's `serialize` format without building them.
///
/// It accepts what PHP's `unserialize` accepts when none of the classes is known to it, and counts the values as PHP
/// does, since `R:` and `r:` refer to others by number. Arrays and objects nest without recursion.
struct Unserializer {
    /// The text cannot be a serialized value.
    struct Malformed: Error, Equatable {}

    private enum Kind: UInt8 {
        case scalar
        case object
        /// An array, or an object under construction.
        case container
    }

    private struct Container {
        /// Elements that are still to come.
        var remaining: Int
        let isObject: Bool
    }

    /// PHP's `unserialize_max_depth`.
    private static let maximalDepth = 4096

    private let bytes: [UInt8]
    /// The position of the next byte.
    private(set) var index: Int
    /// For each value that has a number, whether it is an object.
    private var isObject: [Bool] = []
    /// For each value that has a number, where it starts.
    private(set) var hasReferences = false

    /// Starts at the beginning of `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = 0
    }

    /// How many values have a number so far.
    var slots: Int { isObject.count }

    /// Moves to the byte after the next `delimiter`.
    /// - Returns: what stands before it, or nil if there is none.
    mutating func skip(to delimiter: UInt8) -> Range<Int>? {
        guard let end = bytes[index...].firstIndex(of: delimiter) else { return nil }
        defer { index = end + 1 }
        return index..<end
    }

    /// Whether everything was read.
    var isAtEnd: Bool { index == bytes.count }

    /// Moves to the byte after the value that starts here.
    /// - Returns: the value; nil for a reference, whose target is `reference`.
    mutating func skipValue() throws(Malformed) -> PHPValue? {
        var open: [Container] = []
        let value = try begin(&open)
        while let innermost = open.last {
            guard innermost.remaining > 0 else {
                try expect(ASCII.closeBrace)
                open.removeLast()
                continue
            }
            open[open.count - 1].remaining -= 1
            try key()
            _ = try begin(&open)
        }
        return value
    }

    // MARK: Values

    private mutating func begin(_ open: inout [Container]) throws(Malformed) -> PHPValue? {
        let type = try next()
        if type == UInt8(ascii: "N") {
            try expect(ASCII.semicolon)
            isObject.append(false)
            return .null
        }
        try expect(ASCII.colon)
        if type != UInt8(ascii: "R") { isObject.append(false) }
        switch type {
        case UInt8(ascii: "R"), UInt8(ascii: "r"):
            try reference(toObject: type == UInt8(ascii: "r"))
            return nil
        case UInt8(ascii: "a"):
            let count = try length()
            try expect(ASCII.openBrace)
            try enter(count, isObject: false, &open)
            return .array(count: count)
        case UInt8(ascii: "O"):
            try className()
            let count = try length()
            try expect(ASCII.openBrace)
            isObject[isObject.count - 1] = true
            try enter(count, isObject: true, &open)
            return .object
        case UInt8(ascii: "C"):
            try className()
            let count = try length()
            try expect(ASCII.openBrace)
            try skip(count)
            try expect(ASCII.closeBrace)
            isObject[isObject.count - 1] = true
            return .object
        case UInt8(ascii: "E"):
            try className()
            isObject[isObject.count - 1] = true
            return .object
        default:
            return try scalar(type)
        }
    }

    private mutating func enter(_ count: Int, isObject: Bool, _ open: inout [Container]) throws(Malformed) {
        // Each element takes at least two bytes.
        guard count <= (bytes.count - index) / 2, open.count < Self.maximalDepth else { throw Malformed() }
        open.append(Container(remaining: count, isObject: isObject))
    }

    private mutating func key() throws(Malformed) {
        let type = try next()
        try expect(ASCII.colon)
        guard type == UInt8(ascii: "i") || type == UInt8(ascii: "s") || type == UInt8(ascii: "S") else {
            throw Malformed()
        }
        _ = try scalar(type)
    }

    private mutating func scalar(_ type: UInt8) throws(Malformed) -> PHPValue {
        switch type {
        case UInt8(ascii: "b"):
            let digit = try next()
            guard digit == ASCII.zero || digit == ASCII.zero + 1 else { throw Malformed() }
            try expect(ASCII.semicolon)
            return .bool(digit != ASCII.zero)
        case UInt8(ascii: "i"): return .int(try integer())
        case UInt8(ascii: "d"): return .double(try double())
        case UInt8(ascii: "s"): return .string(try string())
        case UInt8(ascii: "S"): return .string(try escapedString())
        default: throw Malformed()
        }
    }

    private mutating func reference(toObject: Bool) throws(Malformed) {
        hasReferences = true
        let number = try digits()
        try expect(ASCII.semicolon)
        // An `r:` has a number itself, but cannot refer to itself.
        guard number >= 1, number <= (toObject ? slots - 1 : slots) else { throw Malformed() }
        if toObject {
            guard isObject[number - 1] else { throw Malformed() }
            isObject[slots - 1] = true
        }
    }

    private mutating func integer() throws(Malformed) -> Int64 {
        let start = index
        if index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus { index += 1 }
        let firstDigit = index
        while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
        guard index > firstDigit else { throw Malformed() }
        let value = IntegerCast.integer(bytes[start..<index])
        try expect(ASCII.semicolon)
        return value
    }

    private mutating func double() throws(Malformed) -> Double {
        guard let range = skip(to: ASCII.semicolon) else { throw Malformed() }
        let text = bytes[range]
        switch String(decoding: text.prefix(5), as: UTF8.self) {
        case "NAN": return .nan
        case "INF": return .infinity
        case "-INF": return -.infinity
        default: break
        }
        guard text.allSatisfy({ ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }),
            let value = Double(String(decoding: text, as: UTF8.self))
        else { throw Malformed() }
        return value
    }

    private mutating func string() throws(Malformed) -> [UInt8] {
        let count = try length()
        try expect(ASCII.quote)
        let start = index
        try skip(count)
        try expect(ASCII.quote)
        try expect(ASCII.semicolon)
        return Array(bytes[start..<start + count])
    }

    private mutating func escapedString() throws(Malformed) -> [UInt8] {
        let count = try length()
        try expect(ASCII.quote)
        guard count <= bytes.count - index else { throw Malformed() }
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

    private mutating func className() throws(Malformed) {
        let count = try length()
        try expect(ASCII.quote)
        try skip(count)
        try expect(ASCII.quote)
        try expect(ASCII.colon)
    }

    // MARK: Bytes

    private mutating func next() throws(Malformed) -> UInt8 {
        guard index < bytes.count else { throw Malformed() }
        defer { index += 1 }
        return bytes[index]
    }

    private mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard try next() == byte else { throw Malformed() }
    }

    private mutating func skip(_ count: Int) throws(Malformed) {
        guard count <= bytes.count - index else { throw Malformed() }
        index += count
    }

    /// A length, and the colon after it.
    private mutating func length() throws(Malformed) -> Int {
        let length = try digits()
        try expect(ASCII.colon)
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
