/// Bytes in a form for messages: printable ASCII as it is, the rest as `\xXX`, long runs of one byte shortened.
func describe(_ bytes: [UInt8]) -> String {
    var text = ""
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        let run = bytes[index...].prefix { $0 == byte }.count
        let character =
            (0x20..<0x7f).contains(byte)
            ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        text += run > 20 ? "{\(run) times \(character)}" : String(repeating: character, count: run)
        index += run
    }
    return text
}
