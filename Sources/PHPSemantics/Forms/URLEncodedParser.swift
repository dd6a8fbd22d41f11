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

    private(set) var fields = FormFields()
    private(set) var isTooLarge = false
    private var storedBytes = 0

    init(limits: FormLimits) {
        self.limits = limits
    }

    /// Takes the next piece of the body.
    mutating func push(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            guard !isOver else { return }
            take(bytes[index])
        }
    }

    /// Takes the end of the body for the end of the last pair.
    mutating func finish() {
        guard !isOver, pairHasBegun else { return }
        endPair()
    }

    /// PHP counts a pair only after it has taken it, so one more than the limit gets in.
    private var isOver: Bool { pairs > limits.fields || isTooLarge }

    private mutating func take(_ byte: UInt8) {
        if escapeLength > 0 {
            if let digit = ASCII.hexDigitValue(byte) {
                if escapeLength == 1 {
                    firstDigit = byte
                    escapeLength = 2
                } else if let high = ASCII.hexDigitValue(firstDigit) {
                    escapeLength = 0
                    store(high << 4 | digit)
                }
                return
            }
            endEscape()
        }
        pairHasBegun = true
        switch byte {
        case ASCII.percent: escapeLength = 1
        case ASCII.plus: store(ASCII.space)
        case ASCII.ampersand: endPair()
        case ASCII.equals where !isInValue: isInValue = true
        default: store(byte)
        }
    }

    /// What looked like an escape is none: it stays as it is.
    private mutating func endEscape() {
        if escapeLength > 0 { store(ASCII.percent) }
        if escapeLength > 1 { store(firstDigit) }
        escapeLength = 0
    }

    private mutating func store(_ byte: UInt8) {
        if isInValue {
            guard !isNameTooLong else { return }
            value.append(byte)
            isTooLarge = isTooLarge || value.count > limits.fieldBytes
        } else if name.count < limits.nameBytes {
            name.append(byte)
        } else {
            isNameTooLong = true
        }
    }

    private mutating func endPair() {
        endEscape()
        storedBytes += name.count + value.count
        isTooLarge = isTooLarge || storedBytes > limits.allFieldsBytes
        if !isNameTooLong { fields.register(name, value, nestingLevels: limits.nestingLevels) }
        pairs += 1
        name = []
        value = []
        isInValue = false
        isNameTooLong = false
        pairHasBegun = false
    }
}
