/// The second byte of a JPEG marker (ITU-T T.81, table B.1); the first is always 0xFF.
struct JPEGMarker: Equatable {
    let code: UInt8

    static let startOfImage = JPEGMarker(code: 0xD8)
    static let endOfImage = JPEGMarker(code: 0xD9)
    static let startOfScan = JPEGMarker(code: 0xDA)
    static let restartInterval = JPEGMarker(code: 0xDD)
    static let app0 = JPEGMarker(code: 0xE0)
    static let app1 = JPEGMarker(code: 0xE1)
    static let app2 = JPEGMarker(code: 0xE2)
    static let app14 = JPEGMarker(code: 0xEE)

    /// Whether no length and no contents follow: the restart markers and TEM.
    var standsAlone: Bool { code == 0x01 || isRestart }

    /// Whether this is RST0 to RST7, which stand inside entropy-coded data.
    var isRestart: Bool { (0xD0...0xD7).contains(code) }

    /// Whether this is one of the segments which say nothing on how to decode: APP0 to APP15 and comments.
    var isMetadata: Bool { (0xE0...0xEF).contains(code) || code == 0xFE }

    /// Whether this is one of the sixteen codes from SOF0 to SOF15 which announce a frame.
    ///
    /// DHT, JPG and DAC lie in the same range and are something else.
    var isFrame: Bool { (0xC0...0xCF).contains(code) && code != 0xC4 && code != 0xC8 && code != 0xCC }
}
