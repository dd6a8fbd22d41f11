/// A decimal number with a fraction or an exponent, read as PHP's `zend_strtod` reads it.
struct DecimalText {
    /// The nearest double; infinite when it is out of a double's range.
    let value: Double

    /// More significant digits than this cannot change how a double is rounded, except by not being zero.
    private static let significantDigits = 800
    /// `zend_strtod` takes any larger exponent for this one.
    private static let largestExponent = 19_999

    /// Reads the number at `start`, if a fraction or an exponent makes it a double.
    init?(_ bytes: Span<UInt8>, from start: Int, isNegative: Bool) {
        var index = start
        while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
        let integerEnd = index
        var fractionEnd = index
        if index < bytes.count, bytes[index] == ASCII.dot {
            index += 1
            while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
            guard integerEnd > start || index > integerEnd + 1 else { return nil }
            fractionEnd = index
        }
        guard fractionEnd > start else { return nil }
        let exponent = Self.exponent(bytes, at: index)
        guard fractionEnd > integerEnd || exponent != nil else { return nil }
        value = Self.double(
            bytes,
            digits: start..<fractionEnd,
            integerEnd: integerEnd,
            exponent: exponent ?? 0,
            isNegative: isNegative
        )
    }

    /// Reads the integer at `start` as a double.
    init(integerDigits bytes: Span<UInt8>, from start: Int, isNegative: Bool) {
        var end = start
        while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
        value = Self.double(bytes, digits: start..<end, integerEnd: end, exponent: 0, isNegative: isNegative)
    }

    /// The exponent that stands at `start`, or nil if none does.
    private static func exponent(_ bytes: Span<UInt8>, at start: Int) -> Int? {
        var index = start
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
        index += 1
        var isNegative = false
        if index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
            isNegative = bytes[index] == ASCII.minus
            index += 1
        }
        guard index < bytes.count, ASCII.isDigit(bytes[index]) else { return nil }
        var exponent = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            exponent = min(exponent * 10 + Int(bytes[index] - ASCII.zero), largestExponent)
            index += 1
        }
        return isNegative ? -exponent : exponent
    }

    /// Rounds digits (with at most one dot among them, at `integerEnd`) once, whatever their number.
    private static func double(
        _ bytes: Span<UInt8>,
        digits: Range<Int>,
        integerEnd: Int,
        exponent: Int,
        isNegative: Bool
    ) -> Double {
        var text: [UInt8] = isNegative ? [ASCII.minus] : []
        var scale = exponent
        var significant = 0
        var dropsNonZero = false
        for index in digits where index != integerEnd {
            let digit = bytes[index]
            let isFraction = index > integerEnd
            if significant == 0, digit == ASCII.zero {
                scale -= isFraction ? 1 : 0
            } else if significant < significantDigits {
                text.append(digit)
                significant += 1
                scale -= isFraction ? 1 : 0
            } else {
                dropsNonZero = dropsNonZero || digit != ASCII.zero
                scale += isFraction ? 0 : 1
            }
        }
        guard significant > 0 else { return 0 }
        if dropsNonZero {
            text.append(UInt8(ascii: "1"))
            scale -= 1
        }
        return Double("\(String(decoding: text, as: UTF8.self))e\(scale)") ?? 0
    }
}
