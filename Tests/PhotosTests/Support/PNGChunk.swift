/// A chunk of a PNG with its length and checksum.
enum PNGChunk {
    /// The PNG with a chunk added after its header.
    static func inserted(_ name: String, _ contents: [UInt8], into png: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + contents
        let checksum = crc32(body)
        let afterHeader = 8 + 25
        return png[..<afterHeader] + number(UInt32(contents.count)) + body + number(checksum) + png[afterHeader...]
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
