/// PHP's `==` between two strings.
///
/// Two strings that both look like numbers are equal if the numbers are, as in `"1e1" == "10"`; any others only if
/// their bytes are.
public enum LooseEquality {
    /// Whether `left == right` in PHP 8.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard let leftNumber = Number(left.span), let rightNumber = Number(right.span) else {
            return left == right
        }
        if leftNumber.overflow != 0 && leftNumber.overflow == rightNumber.overflow {
            // As doubles they might not be told apart, so the digits decide.
            return left == right
        }
        switch (leftNumber.integer, rightNumber.integer) {
        case (let leftInteger?, let rightInteger?):
            return leftInteger == rightInteger
        case (nil, _?) where leftNumber.overflow != 0, (_?, nil) where rightNumber.overflow != 0:
            return false
        default:
            let areEqual = leftNumber.double == rightNumber.double
            return areEqual && !leftNumber.double.isFinite ? left == right : areEqual
        }
    }

    /// A string that looks like a number throughout, white space around it aside.
    private struct Number {
        /// The number if it is an integer that fits.
        let integer: Int64?
        let double: Double
        let overflow: Int

        init?(_ bytes: Span<UInt8>) {
            var start = 0
            while start < bytes.count, ASCII.isSpace(bytes[start]) {
                start += 1
            }
            guard let text = DecimalText(bytes, at: start) else {
                return nil
            }
            var end = text.end
            while end < bytes.count, ASCII.isSpace(bytes[end]) {
                end += 1
            }
            guard end == bytes.count else {
                return nil
            }
            integer = text.isInteger ? text.integer(bytes) : nil
            double = integer.map(Double.init) ?? text.double(bytes)
            overflow = text.overflow(bytes)
        }
    }
}
