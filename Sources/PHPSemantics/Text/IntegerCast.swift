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
        var start = 0
        while start < bytes.count, ASCII.isSpace(bytes[start]) { start += 1 }
        guard let number = DecimalText(bytes, at: start) else { return 0 }
        if number.isInteger, let integer = number.integer(bytes) { return integer }
        let value = number.double(bytes)
        guard value.isFinite else { return 0 }
        return truncated(value) ?? (value < 0 ? .min : .max)
    }

    /// The integer part of a double, or nil if 64 bits cannot hold it.
    static func truncated(_ value: Double) -> Int64? {
        value >= -0x1p63 && value < 0x1p63 ? Int64(value) : nil
    }
}
