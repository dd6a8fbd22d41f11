/// PHP's cast of a string to an integer.
public enum IntegerCast {
    /// The value of `(int) $string` in PHP 8 on a 64-bit machine.
    ///
    /// White space (`" \t\n\r\v\f"`), a sign and a decimal number may lead; what follows the number is ignored, and
    /// without a number the value is 0. A number with a fraction or an exponent goes through a double, so `2.9` is 2
    /// and `2e3` is 2000. What does not fit saturates at the limits of 64 bits, but a number that is infinite as a
    /// double (`1e1000`) is 0, which is what PHP makes of it.
    /// - Parameter bytes: any bytes.
    /// - Returns: the integer.
    public static func integer(_ bytes: some Collection<UInt8>) -> Int64 {
        integer(Array(bytes).span)
    }

    private static func integer(_ bytes: Span<UInt8>) -> Int64 {
        var index = 0
        while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
        var isNegative = false
        if index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
            isNegative = bytes[index] == ASCII.minus
            index += 1
        }
        let start = index
        var magnitude: UInt64 = 0
        var overflowed = false
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            let (tens, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(UInt64(bytes[index] - ASCII.zero))
            overflowed = overflowed || tooLarge || carried
            magnitude = sum
            index += 1
        }
        let digits = index - start
        if let decimal = DecimalText(bytes, from: start, isNegative: isNegative) {
            return saturated(decimal.value)
        }
        // Above 308 digits a double may be infinite.
        if digits > 308 {
            let value = DecimalText(integerDigits: bytes, from: start, isNegative: isNegative).value
            return saturated(value)
        }
        if isNegative {
            return overflowed || magnitude > 1 << 63 ? .min : Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        return overflowed || magnitude > UInt64(Int64.max) ? .max : Int64(magnitude)
    }

    private static func saturated(_ value: Double) -> Int64 {
        guard value.isFinite else { return 0 }
        return truncated(value) ?? (value < 0 ? .min : .max)
    }

    /// The integer part of a double, or nil if 64 bits cannot hold it.
    static func truncated(_ value: Double) -> Int64? {
        value >= -0x1p63 && value < 0x1p63 ? Int64(value) : nil
    }
}
