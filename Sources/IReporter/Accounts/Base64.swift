internal import COpenSSL

/// Base64 as PHC strings use it: the standard alphabet, without padding.
enum Base64 {
    /// The text of some bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let length = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(length)].prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }

    /// The bytes of a text; nil if it is one that encoding never makes.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let padding = (4 - text.utf8.count % 4) % 4
        let padded = Array(text.utf8) + repeatElement(UInt8(ascii: "="), count: padding)
        var bytes = [UInt8](repeating: 0, count: padded.count / 4 * 3)
        // The library counts the bytes that the padding stands for.
        let length = Int(unsafe EVP_DecodeBlock(&bytes, padded, Int32(padded.count))) - padding
        guard length >= 0 else {
            return nil
        }
        bytes.removeSubrange(length...)
        return encode(bytes) == text ? bytes : nil
    }
}
