/// The frame header of a JPEG (ITU-T T.81, B.2.2): its size in samples.
struct JPEGFrame: Sendable, Equatable {
    let width: Int
    let height: Int

    /// Reads the first frame header; `nil` for bytes that are no JPEG.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xff {
            let marker = bytes[index + 1]
            let isFrame = (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
            if isFrame {
                height = Int(bytes[index + 5]) << 8 | Int(bytes[index + 6])
                width = Int(bytes[index + 7]) << 8 | Int(bytes[index + 8])
                return
            }
            index += 2 + (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]))
        }
        return nil
    }
}
