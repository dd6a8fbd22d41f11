/// Steps through values in PHP's `serialize` format without building them.
///
/// It accepts what PHP's `unserialize` accepts when it knows none of the classes, and enumeration cases besides.
/// Values are numbered as PHP does it, since `R:` and `r:` refer to others by number. Nesting takes no recursion, and
/// a length or count is believed only as far as there are bytes for it.
struct Unserializer {
    /// The text is no serialized value.
    struct Malformed: Error, Equatable {}

    /// PHP's `unserialize_max_depth`.
    private static let maximalDepth = 4096

    private var reader: ByteReader
    /// For each numbered value, whether it is an object; only objects may be the target of `r:`.
    private var isObject: [Bool] = []
    /// How many references were read, as far as one can see.
    private(set) var references = 0
    /// The number of a value that is asked for.
    private let wanted: Int?
    /// The value with the wanted number, once it was read.
    private(set) var found: PHPValue?

    /// Starts at the beginning of `bytes`.
    /// - Parameters:
    ///   - bytes: the text.
    ///   - wanted: the number of a value to keep in ``found``.
    init(_ bytes: [UInt8], wanted: Int? = nil) {
        reader = ByteReader(bytes)
        self.wanted = wanted
    }

    /// How many values have a number so far.
    var numberedValues: Int { isObject.count }
    /// The position of the next byte.
    var index: Int { reader.index }
    /// Whether everything was read.
    var isAtEnd: Bool { reader.isAtEnd }

    /// Moves to the byte after the next `delimiter`.
    /// - Returns: where what stands before it is.
    mutating func skip(to delimiter: UInt8) throws(Malformed) -> Range<Int> {
        try reader.skip(to: delimiter)
    }

    /// Moves to the byte after the value that starts here.
    mutating func skipValue() throws(Malformed) -> Item {
        // For each array and object that is open, how many elements are still to come.
        var open: [Int] = []
        let item = try begin(&open)
        while let remaining = open.last {
            if remaining == 0 {
                try reader.expect(ASCII.closeBrace)
                open.removeLast()
            } else {
                open[open.count - 1] = remaining - 1
                try skipKey()
                _ = try begin(&open)
            }
        }
        return item
    }

    /// A value, or a reference to one.
    enum Item: Equatable {
        case value(PHPValue)
        /// `R:n;`, which takes no number itself.
        case reference(to: Int)
    }

    private mutating func begin(_ open: inout [Int]) throws(Malformed) -> Item {
        let type = try reader.next()
        guard type != UInt8(ascii: "R") else {
            return .reference(to: try reference(below: numberedValues + 1))
        }
        isObject.append(false)
        let number = numberedValues
        let value = try begin(type, &open)
        if value == .object { isObject[number - 1] = true }
        if number == wanted { found = value }
        return .value(value)
    }

    /// Reads a value, or the beginning of it if it is an array or an object.
    private mutating func begin(_ type: UInt8, _ open: inout [Int]) throws(Malformed) -> PHPValue {
        switch type {
        case UInt8(ascii: "N"):
            try reader.expect(ASCII.semicolon)
            return .null
        case UInt8(ascii: "b"):
            return .bool(try reader.boolean())
        case UInt8(ascii: "d"):
            return .double(try reader.double())
        case UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "S"):
            return try keyOrValue(type)
        case UInt8(ascii: "a"):
            let count = try reader.length(before: ASCII.openBrace)
            try enter(count, isObject: false, &open)
            return .array(count: count)
        case UInt8(ascii: "O"):
            try reader.className()
            try enter(try reader.signedLength(before: ASCII.openBrace), isObject: true, &open)
            // Its own elements may refer to it.
            isObject[numberedValues - 1] = true
            return .object
        case UInt8(ascii: "C"):
            try reader.className()
            _ = try reader.take(try reader.signedLength(before: ASCII.openBrace))
            try reader.expect(ASCII.closeBrace)
            // Only its class knows whether there are references in what was taken.
            references += 1
            return .object
        case UInt8(ascii: "E"):
            try reader.enumerationCase()
            return .object
        case UInt8(ascii: "r"):
            guard isObject[try reference(below: numberedValues) - 1] else { throw Malformed() }
            return .object
        default:
            throw Malformed()
        }
    }

    private mutating func enter(_ count: Int, isObject: Bool, _ open: inout [Int]) throws(Malformed) {
        // PHP does not count an empty array as a level.
        guard open.count < Self.maximalDepth || (count == 0 && !isObject) else { throw Malformed() }
        // Each element takes at least two bytes.
        guard count <= reader.remaining / 2 else { throw Malformed() }
        open.append(count)
    }

    private mutating func skipKey() throws(Malformed) {
        _ = try keyOrValue(try reader.next())
    }

    /// Reads a value of one of the types that a key may have.
    private mutating func keyOrValue(_ type: UInt8) throws(Malformed) -> PHPValue {
        switch type {
        case UInt8(ascii: "i"): return .int(try reader.integer())
        case UInt8(ascii: "s"): return .string(try reader.string())
        case UInt8(ascii: "S"): return .string(try reader.escapedString())
        default: throw Malformed()
        }
    }

    private mutating func reference(below end: Int) throws(Malformed) -> Int {
        references += 1
        let number = try reader.number()
        guard number >= 1, number < end else { throw Malformed() }
        return number
    }
}
