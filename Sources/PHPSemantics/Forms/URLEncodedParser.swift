/// Reads `application/x-www-form-urlencoded` as PHP's `php_std_post_handler` does, in pieces of any size.
struct URLEncodedParser {
    private let limits: FormLimits
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    private var isInValue = false
    private var isNameTooLong = false
    private var pairHasBegun = false
    private var pairs = 0
    /// Of an escape that is not complete yet: 0 for none, 1 after `%`, 2 after `%` and ``firstDigit``.
    private var escapeLength = 0
    private var firstDigit: UInt8 = 0
    private var storedBytes = 0

    /// What was read so far.
    private(set) var fields = FormFields()
    /// Whether a value, or all that is stored, is beyond its limit.
    private(set) var isTooLarge = false

    /// A parser for one body.
    init(limits: FormLimits) {
        self.limits = limits
    }

    /// Takes the next piece of the body.
    mutating func push(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, !isOver {
            if escapeLength > 0, continueEscape(bytes[index]) {
                index += 1
                continue
            }
            pairHasBegun = true
            let start = index
            while index < bytes.count, isPlain(bytes[index]) { index += 1 }
            store(bytes.extracting(start..<index))
            guard index < bytes.count else { return }
            let byte = bytes[index]
            index += 1
            switch byte {
            case ASCII.percent: escapeLength = 1
            case ASCII.plus: store(ASCII.space)
            case ASCII.ampersand: endPair()
            default: isInValue = true
            }
        }
    }

    /// Takes the end of the body for the end of the last pair.
    mutating func finish() {
        guard !isOver, pairHasBegun else { return }
        endPair()
    }

    /// PHP counts a pair only after it has taken it, so one more than the limit gets in.
    private var isOver: Bool { pairs > limits.fields || isTooLarge }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.percent, ASCII.plus, ASCII.ampersand: false
        case ASCII.equals: isInValue
        default: true
        }
    }

    /// Takes the byte if it belongs to the escape that has begun.
    private mutating func continueEscape(_ byte: UInt8) -> Bool {
        guard let digit = ASCII.hexDigitValue(byte) else {
            endEscape()
            return false
        }
        if escapeLength == 1 {
            firstDigit = byte
            escapeLength = 2
        } else if let high = ASCII.hexDigitValue(firstDigit) {
            escapeLength = 0
            store(high << 4 | digit)
        }
        return true
    }

    /// What looked like an escape is none: it stays as it is.
    private mutating func endEscape() {
        if escapeLength > 0 { store(ASCII.percent) }
        if escapeLength > 1 { store(firstDigit) }
        escapeLength = 0
    }

    private mutating func store(_ byte: UInt8) {
        guard hasRoom(for: 1) else { return }
        if isInValue { value.append(byte) } else { name.append(byte) }
    }

    private mutating func store(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, hasRoom(for: bytes.count) else { return }
        if isInValue { value.append(copying: bytes) } else { name.append(copying: bytes) }
    }

    /// Whether the name or the value may grow; if not, what is to become of it.
    private mutating func hasRoom(for count: Int) -> Bool {
        if !isInValue {
            isNameTooLong = isNameTooLong || name.count + count > limits.nameBytes
        } else if !isNameTooLong {
            isTooLarge = isTooLarge || value.count + count > limits.fieldBytes
        }
        return !isNameTooLong && !isTooLarge
    }

    private mutating func endPair() {
        endEscape()
        if !isNameTooLong {
            storedBytes += name.count + value.count
            isTooLarge = isTooLarge || storedBytes > limits.allFieldsBytes
            fields.register(name, value, nestingLevels: limits.nestingLevels)
        }
        pairs += 1
        name.removeAll(keepingCapacity: true)
        value = []
        isInValue = false
        isNameTooLong = false
        pairHasBegun = false
    }
}
