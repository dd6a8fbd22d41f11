/// A small but valid colour profile, with the primaries of Display P3.
enum MadeProfile {
    /// The profile's bytes (ICC.1, version 2, matrix and gamma).
    static let displayP3: [UInt8] = {
        let white = xyz(0.9642, 1, 0.8249)
        let tags: [(String, [UInt8])] = [
            ("desc", Array("desc\0\0\0\0\0\0\0\u{0B}Display P3\0".utf8) + Array(repeating: 0, count: 81)),
            ("cprt", Array("text\0\0\0\0none\0".utf8) + [0, 0, 0]),
            ("wtpt", white),
            ("rXYZ", xyz(0.5151, 0.2412, -0.0011)),
            ("gXYZ", xyz(0.2920, 0.6922, 0.0419)),
            ("bXYZ", xyz(0.1571, 0.0666, 0.7841)),
            ("rTRC", gamma), ("gTRC", gamma), ("bTRC", gamma),
        ]
        var table = number(tags.count)
        var contents: [UInt8] = []
        for (name, tag) in tags {
            table += Array(name.utf8) + number(128 + 4 + 12 * tags.count + contents.count) + number(tag.count)
            contents += tag
            while contents.count % 4 != 0 { contents.append(0) }
        }
        var header = number(128 + table.count + contents.count) + Array("none".utf8) + number(0x0220_0000)
        header += Array("mntrRGB XYZ ".utf8) + Array(repeating: 0, count: 12) + Array("acsp".utf8)
        header += Array(repeating: 0, count: 28) + white.suffix(12)
        return header + Array(repeating: 0, count: 128 - header.count) + table + contents
    }()

    /// A curve of gamma 2.2.
    private static let gamma = Array("curv\0\0\0\0".utf8) + number(1) + [2, 0x33, 0, 0]

    private static func xyz(_ values: Double...) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + values.flatMap { number(Int(($0 * 65_536).rounded())) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
