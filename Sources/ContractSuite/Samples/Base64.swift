/// The bytes behind a base64 text (RFC 4648, section 4) that is known to be sound.
func base64Decoded(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for character in text.utf8 where character != UInt8(ascii: "=") {
        guard let value = alphabet.firstIndex(of: character) else { preconditionFailure("not base64") }
        buffer = buffer << 6 | UInt32(value)
        bits += 6
        if bits >= 8 {
            bits -= 8
            bytes.append(UInt8(buffer >> bits & 0xff))
        }
    }
    return bytes
}
