/// The fields of a multipart body.
struct MultipartFields {
    private let limits: FormLimits
    private var value: [UInt8] = []
    private var count = 0
    private var storedBytes = 0

    /// What was read so far.
    private(set) var fields = FormFields()

    /// No fields yet.
    init(limits: FormLimits) {
        self.limits = limits
    }

    /// Takes more of a value.
    /// - Returns: whether it is within the limits.
    mutating func take(_ bytes: Span<UInt8>) -> Bool {
        guard value.count + bytes.count <= limits.fieldBytes else { return false }
        value.append(copying: bytes)
        return true
    }

    /// Ends a field; those beyond the limit on their number, or with too long a name, are ignored.
    /// - Parameters:
    ///   - name: the name as sent.
    ///   - files: is told of the field `MAX_FILE_SIZE`, whatever its place.
    /// - Returns: whether all values together are within the limits.
    mutating func end(_ name: [UInt8], files: inout MultipartFiles) -> Bool {
        defer { value = [] }
        count += 1
        if name.equalsIgnoringCase("max_file_size") { files.largestSize = Self.strtoll(value) }
        guard count <= limits.fields, name.count <= limits.nameBytes else { return true }
        storedBytes += name.count + value.count
        guard storedBytes <= limits.allFieldsBytes else { return false }
        fields.register(name, value, nestingLevels: limits.nestingLevels)
        return true
    }

    /// An integer as C reads it, that is without fractions and exponents.
    private static func strtoll(_ text: [UInt8]) -> Int {
        let number = text.drop(while: ASCII.isSpace)
        let end = number.dropFirst().firstIndex { !ASCII.isDigit($0) } ?? number.endIndex
        return Int(IntegerCast.integer(number[..<end]))
    }
}
