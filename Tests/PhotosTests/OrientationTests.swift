import Testing

@testable import Photos

@Suite struct OrientationTests {
    /// EXIF data with one directory of one entry.
    private static func exif(
        bigEndian: Bool = true,
        tag: UInt16 = 0x0112,
        type: UInt16 = 3,
        count: UInt32 = 1,
        value: UInt16 = 6,
        directory: UInt32 = 8
    ) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            let shifts = stride(from: 0, to: number.bitWidth, by: 8)
            let bytes = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
            return bigEndian ? bytes.reversed() : bytes
        }
        var exif = Array((bigEndian ? "MM" : "II").utf8)
        for field in [bytes(UInt16(42)), bytes(directory), bytes(UInt16(1))] { exif += field }
        for field in [bytes(tag), bytes(type), bytes(count), bytes(value), bytes(UInt16(0))] { exif += field }
        return exif + bytes(UInt32(0))
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func isReadInBothByteOrders(orientation: Orientation, bigEndian: Bool) {
        let exif = Self.exif(bigEndian: bigEndian, value: UInt16(orientation.rawValue))
        #expect(Orientation(exif: 0..<exif.count, in: exif.span) == orientation)
    }

    private static let odd: [[UInt8]] = [
        exif(value: 0), exif(value: 9), exif(value: 65_535), exif(type: 4), exif(count: 0), exif(count: 2),
        exif(tag: 0x0111), exif(directory: 0), exif(directory: 7), exif(directory: 25), exif(directory: .max),
        [], [0x4D, 0x4D], [0x58, 0x58, 0x00, 0x2A, 0, 0, 0, 8],
    ]

    @Test(arguments: odd)
    func oddDataMeanUpright(exif: [UInt8]) {
        #expect(Orientation(exif: 0..<exif.count, in: exif.span) == .upright)
    }

    @Test func cutDataNeverReachBeyondTheirEnd() {
        let whole = Self.exif()
        for length in 0..<whole.count {
            let orientation = Orientation(exif: 0..<length, in: whole.span)
            #expect(orientation == (length < 22 ? .upright : .turnedLeft), "\(length) bytes")
        }
    }

    @Test(arguments: Orientation.allCases)
    func ownSegmentReadsBack(orientation: Orientation) throws {
        let file = MadeJPEG().raw(orientation.exifSegment).frame().scan().bytes
        #expect(try JPEGStructure(file.span).orientation == orientation)
    }

    @Test(arguments: [
        (Orientation.upright, "abcdefghi"), (.mirrored, "cbafedihg"), (.upsideDown, "ihgfedcba"),
        (.mirroredUpsideDown, "ghidefabc"), (.mirroredLeft, "adgbehcfi"), (.turnedLeft, "gdahebifc"),
        (.mirroredRight, "ifchebgda"), (.turnedRight, "cfibehadg"),
    ])
    func turnsPixels(orientation: Orientation, expected: String) {
        let stored = PixelImage(width: 3, height: 3, layout: .gray, bytes: Array("abcdefghi".utf8))
        #expect(String(decoding: stored.upright(from: orientation).bytes, as: UTF8.self) == expected)
    }
}
