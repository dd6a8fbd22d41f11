/// A decimal number at some position of a text: a sign, digits, a fraction, an exponent, each as far as it is there.
struct DecimalText {
    private let isNegative: Bool
    private let integerDigits: Range<Int>
    private let fractionDigits: Range<Int>
    private let exponent: Int
    /// Whether there is neither a dot nor an exponent.
    let isInteger: Bool
    /// The position of the first byte after the number.
    let end: Int

    /// Reads the longest number that starts at `start`; nil if there is no digit.
    init?(_ bytes: Span<UInt8>, at start: Int) {
        var index = start
        isNegative = Self.skipSign(bytes, &index)
        integerDigits = Self.skipDigits(bytes, &index)
        var hasDot = false
        if index < bytes.count, bytes[index] == ASCII.dot {
            hasDot = true
            index += 1
        }
        fractionDigits = Self.skipDigits(bytes, &index)
        guard !integerDigits.isEmpty || !fractionDigits.isEmpty else { return nil }
        let exponent = Self.skipExponent(bytes, &index)
        self.exponent = exponent ?? 0
        isInteger = !hasDot && exponent == nil
        end = index
    }

    /// The integer, or nil if it does not fit; to be asked of integers only.
    func integer(_ bytes: Span<UInt8>) -> Int64? {
        var magnitude: UInt64 = 0
        for index in integerDigits {
            let (tens, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(UInt64(bytes[index] - ASCII.zero))
            guard !tooLarge, !carried else { return nil }
            magnitude = sum
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// On which side PHP takes the number for an integer that does not fit: -1 or 1; 0 for any other number.
    ///
    /// Twenty digits before the dot are too many for it to look any further.
    func overflow(_ bytes: Span<UInt8>) -> Int {
        var first = integerDigits.lowerBound
        while first < integerDigits.upperBound, bytes[first] == ASCII.zero {
            first += 1
        }
        guard integerDigits.upperBound - first >= 20 || (isInteger && integer(bytes) == nil) else { return 0 }
        return isNegative ? -1 : 1
    }

    /// The nearest double; infinite when it is out of a double's range.
    func double(_ bytes: Span<UInt8>) -> Double {
        var text: [UInt8] = []
        var scale = exponent
        var dropsNonZero = false
        for index in integerDigits {
            if text.isEmpty, bytes[index] == ASCII.zero { continue }
            if text.count < Self.significantDigits {
                text.append(bytes[index])
            } else {
                dropsNonZero = dropsNonZero || bytes[index] != ASCII.zero
                scale += 1
            }
        }
        for index in fractionDigits {
            if text.count < Self.significantDigits {
                if !text.isEmpty || bytes[index] != ASCII.zero { text.append(bytes[index]) }
                scale -= 1
            } else {
                dropsNonZero = dropsNonZero || bytes[index] != ASCII.zero
            }
        }
        if dropsNonZero {
            text.append(ASCII.zero + 1)
            scale -= 1
        }
        guard !text.isEmpty else { return isNegative ? -0.0 : 0 }
        let sign = isNegative ? "-" : ""
        return Double("\(sign)\(String(decoding: text, as: UTF8.self))e\(scale)") ?? 0
    }

    /// More significant digits cannot change how a double is rounded, except by not all being zero.
    private static let significantDigits = 800
    /// PHP's `zend_strtod` takes any larger exponent for this one.
    private static let largestExponent = 19_999

    /// Skips a sign, and says whether it is a minus.
    private static func skipSign(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        guard index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus else { return false }
        index += 1
        return bytes[index - 1] == ASCII.minus
    }

    private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Range<Int> {
        let start = index
        while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
        return start..<index
    }

    /// Skips an exponent, if a whole one is there.
    private static func skipExponent(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
        var end = index + 1
        let isNegative = skipSign(bytes, &end)
        let digits = skipDigits(bytes, &end)
        guard !digits.isEmpty else { return nil }
        index = end
        var exponent = 0
        for index in digits {
            exponent = min(exponent * 10 + Int(bytes[index] - ASCII.zero), largestExponent)
        }
        return isNegative ? -exponent : exponent
    }
}
