/// Percent-encoding as PHP's `urldecode` and `rawurldecode` read it.
public enum URLCoding {
    /// Decodes `+` to a space and `%XX` to a byte, as PHP's `urldecode` does.
    ///
    /// A `%` that two hexadecimal digits do not follow stays as it is.
    /// - Parameter bytes: the encoded text; any bytes are allowed.
    /// - Returns: the decoded bytes, never more than came in.
    public static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        decode(Array(bytes).span, plusIsSpace: true)
    }

    /// Decodes `%XX` only and leaves `+` alone, as PHP's `rawurldecode` does (PHP reads cookie values this way).
    /// - Parameter bytes: the encoded text; any bytes are allowed.
    /// - Returns: the decoded bytes, never more than came in.
    public static func rawDecode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        decode(Array(bytes).span, plusIsSpace: false)
    }

    private static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == ASCII.percent, index + 1 < bytes.count,
                let high = ASCII.hexDigitValue(bytes[index]), let low = ASCII.hexDigitValue(bytes[index + 1])
            {
                decoded.append(high << 4 | low)
                index += 2
            } else if byte == ASCII.plus, plusIsSpace {
                decoded.append(ASCII.space)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}
