internal import Glibc

/// The log: lines on standard error, one write each, so that lines of several threads never mix.
public enum Log {
    /// Writes one line.
    ///
    /// Control characters in it are escaped, so that no client can forge a line of its own.
    public static func write(_ line: String) {
        var bytes = Array("ireporter: ".utf8)
        for byte in line.utf8 {
            if byte < 0x20 || byte == 0x7F {
                bytes.append(contentsOf: Array("\\x".utf8))
                bytes.append(hexDigits[Int(byte >> 4)])
                bytes.append(hexDigits[Int(byte & 15)])
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(10)
        _ = unsafe Glibc.write(2, bytes, bytes.count)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
