import Testing

@testable import Photos

@Suite struct JPEGStructureTests {
    private static let exif = Array("Exif\0\0MM\0*".utf8)

    @Test func readsFrameScanAndEnd() throws {
        let made = MadeJPEG().segment(0xE0, Array("JFIF\0".utf8)).frame(width: 300, height: 20).scan()
        let structure = try JPEGStructure(made.end().raw([9, 9]).bytes.span)
        #expect(structure.frame.process == .baseline)
        #expect(structure.frame.width == 300)
        #expect(structure.frame.height == 20)
        #expect(structure.frame.components.map(\.horizontalSampling) == [2, 1, 1])
        #expect(structure.scanStart == made.bytes.count - 5)
        #expect(structure.imageEnd == made.bytes.count + 2)
        #expect(structure.scans == 1)
        #expect(structure.firstScanIsInterleaved)
        #expect(!structure.needsAllCoefficients)
        #expect(!structure.isTruncated)
        #expect(structure.orientation == .upright)
        #expect(structure.adobeTransform == nil)
    }

    @Test(arguments: [
        (UInt8(0xC0), JPEGFrame.Process.baseline), (0xC1, .extended), (0xC2, .progressive),
    ])
    func acceptsTheProcessesThatBrowsersShow(marker: UInt8, process: JPEGFrame.Process) throws {
        let structure = try JPEGStructure(MadeJPEG().frame(marker).scan().end().bytes.span)
        #expect(structure.frame.process == process)
        #expect(structure.needsAllCoefficients == (process == .progressive))
    }

    @Test(arguments: [
        (UInt8(0xC3), "lossless JPEG"), (0xC5, "hierarchical JPEG"), (0xC6, "hierarchical JPEG"),
        (0xC7, "hierarchical JPEG"), (0xC9, "arithmetic-coded JPEG"), (0xCA, "arithmetic-coded JPEG"),
        (0xCB, "lossless JPEG"), (0xCD, "hierarchical JPEG"), (0xCE, "hierarchical JPEG"),
        (0xCF, "hierarchical JPEG"),
    ])
    func refusesOtherProcessesByName(marker: UInt8, name: String) {
        let file = MadeJPEG().frame(marker).scan().end().bytes
        #expect(throws: PhotoError.unsupported(name)) { try JPEGStructure(file.span) }
    }

    private static let nonsense: [(MadeJPEG, PhotoError)] = [
        (MadeJPEG().frame(bits: 12), PhotoError.unsupported("JPEG of 12 bits")),
        (MadeJPEG().frame(components: [0x11, 0x11]), .unsupported("JPEG of 2 components")),
        (MadeJPEG().frame(components: [0x11, 0x51, 0x11]), .broken("its frame header names impossible components")),
        (MadeJPEG().frame(components: [0x11, 0x01, 0x11]), .broken("its frame header names impossible components")),
        (MadeJPEG().frame(width: 0), .broken("it has no pixels")),
        (MadeJPEG().frame(height: 0), .broken("it has no pixels")),
        (MadeJPEG().frame().frame(), .broken("it has two frame headers")),
        (MadeJPEG().segment(0xC0, [8, 0, 1]), .broken("its frame header has the wrong length")),
        (MadeJPEG().segment(0xC0, [8, 0, 16, 0, 16, 3, 1, 0x11, 0]), .broken("its frame header has the wrong length")),
        (MadeJPEG().raw([0xFF, 0xE0, 0, 1]), .broken("a segment has an impossible length")),
        (MadeJPEG(), .broken("a scan stands before the frame header")),
        (MadeJPEG().frame(width: 65_501, height: 1), .tooLarge(.side, found: 65_501, allowed: 65_500)),
        (MadeJPEG().frame(width: 10_000, height: 5001), .tooLarge(.pixels, found: 50_010_000, allowed: 50_000_000)),
    ]

    @Test(arguments: nonsense)
    func refusesNonsense(made: MadeJPEG, expected: PhotoError) {
        let file = made.scan().end().bytes
        #expect(throws: expected) { try JPEGStructure(file.span) }
    }

    @Test func claimOfGigapixelsIsRefusedWithoutMemory() {
        let file = MadeJPEG().frame(width: 64_000, height: 64_000).scan().end().raw(Array(repeating: 0, count: 2000))
        #expect(throws: PhotoError.tooLarge(.pixels, found: 4_096_000_000, allowed: 50_000_000)) {
            try JPEGStructure(file.bytes.span)
        }
    }

    @Test func scansAreCountedAndLimited() throws {
        var limits = PhotoLimits()
        limits.scans = 3
        let three = MadeJPEG().frame(0xC2).scan(components: 1).scan(components: 1).scan(components: 1)
        #expect(try JPEGStructure(three.end().bytes.span, limits: limits).scans == 3)
        let four = three.scan(components: 1).end().bytes
        #expect(throws: PhotoError.tooLarge(.scans, found: 4, allowed: 3)) {
            try JPEGStructure(four.span, limits: limits)
        }
    }

    @Test func largeImageMayHaveFewerScans() throws {
        var limits = PhotoLimits()
        limits.scannedPixels = 16 * 16 * 2
        let made = MadeJPEG().frame(0xC2).scan().scan()
        #expect(try JPEGStructure(made.end().bytes.span, limits: limits).scans == 2)
        let more = made.scan().end().bytes
        #expect(throws: PhotoError.tooLarge(.scans, found: 3, allowed: 2)) {
            try JPEGStructure(more.span, limits: limits)
        }
    }

    @Test func sequentialComponentIsNotCodedTwice() {
        let file = MadeJPEG().frame().scan(components: 1).scan(components: 1).scan(components: 1).scan(components: 1)
        #expect(throws: PhotoError.broken("it has more scans than components")) {
            try JPEGStructure(file.end().bytes.span)
        }
    }

    @Test func sequentialInSeveralScansNeedsAllCoefficients() throws {
        let made = MadeJPEG().frame().scan(components: 1).scan(components: 2).end()
        let structure = try JPEGStructure(made.bytes.span)
        #expect(!structure.firstScanIsInterleaved)
        #expect(structure.needsAllCoefficients)
        #expect(structure.frame.blocks == 6)
    }

    @Test(arguments: [
        // Stuffed zeros, restart markers and fill bytes do not end a scan.
        ([1, 0xFF, 0x00, 0xFF, 0xD0, 2, 0xFF, 0xD7, 0xFF, 0xFF, 0xFF, 0xD9] as [UInt8], 12 as Int?),
        ([1, 2, 3], nil),
        ([1, 2, 0xFF], nil),
        ([0xFF, 0xD9], 2),
    ])
    func findsTheEndOfTheScan(data: [UInt8], end: Int?) throws {
        let made = MadeJPEG().frame().scan(data: [])
        let structure = try JPEGStructure(made.raw(data).bytes.span)
        #expect(structure.imageEnd == end.map { made.bytes.count + $0 })
        #expect(structure.isTruncated == (end == nil))
    }

    @Test func toleratesWhatLibjpegTolerates() throws {
        // Bytes between segments, fill bytes before a marker, a marker without contents.
        let made = MadeJPEG().raw([7, 7, 0xFF, 0xFF, 0xFF]).segment(0xFE, [1]).raw([0xFF, 0x01]).frame().scan().end()
        var bytes = made.bytes
        // The segment that follows the fill bytes brings its own 0xFF.
        #expect(bytes.removeFirst() == 0xFF)
        #expect(try JPEGStructure(([0xFF] + bytes).span).scans == 1)
    }

    @Test func everyPrefixIsRefusedUntilTheScanAndTakenFromThereOn() throws {
        let made = MadeJPEG().segment(0xE1, Self.exif).frame().scan()
        let whole = made.end().bytes
        for length in 0...whole.count {
            let prefix = Array(whole[..<length])
            let result = Result { () throws(PhotoError) in try JPEGStructure(prefix.span) }
            #expect(((try? result.get()) != nil) == (length > made.bytes.count - 5), "\(length) bytes")
        }
    }

    @Test(arguments: [0 as UInt8, 1, 2])
    func readsTheAdobeTransform(transform: UInt8) throws {
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
        let made = MadeJPEG().segment(0xEE, adobe).frame(components: [0x11, 0x11, 0x11, 0x11]).scan(components: 4)
        #expect(try JPEGStructure(made.bytes.span).adobeTransform == transform)
    }

    @Test func metadataOfAnEmbeddedThumbnailAndAfterTheScanDoesNotCount() throws {
        // EXIF data contain a whole small JPEG, whose markers must not be taken for the photo's.
        let inner = MadeJPEG().frame(width: 8, height: 8).scan().end().bytes
        let made = MadeJPEG().segment(0xE1, Self.exif + inner).frame(width: 99).scan()
            .segment(0xE1, Self.exif).end()
        let structure = try JPEGStructure(made.bytes.span)
        #expect(structure.frame.width == 99)
        #expect(structure.segments.count == 1)
    }

    @Test func thousandsOfMetadataSegmentsAreRefused() {
        var made = MadeJPEG()
        for _ in 0..<1025 { made = made.segment(0xE1, Self.exif) }
        let file = made.frame().scan().bytes
        #expect(throws: PhotoError.broken("it has more than 1024 metadata segments")) {
            try JPEGStructure(file.span)
        }
    }
}
