import Testing

@testable import Photos

/// Photos as they come in, and what is stored of them.
@Suite struct PreparerTests {
    private let folder: TemporaryFolder
    private let uploads: UploadDirectory

    init() throws {
        folder = try TemporaryFolder()
        uploads = try UploadDirectory(path: folder.path)
    }

    private static let clouds = ["-size", "160x120", "-seed", "7", "plasma:tomato-steelblue", "-resize", "640x480!"]

    private func publish(_ bytes: [UInt8], _ preparer: PhotoPreparer = PhotoPreparer()) throws {
        let file = try uploads.makeTemporary()
        // In pieces, as a form body brings them.
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            try file.write(bytes.span.extracting(start..<min(start + 1000, bytes.count)))
        }
        let prepared = try preparer.prepare(file, in: uploads)
        try uploads.publish(prepared, as: 7)
    }

    /// What a refused file is refused with; nothing must be left of it.
    private func refusal(of bytes: [UInt8], _ preparer: PhotoPreparer = PhotoPreparer()) -> PhotoError? {
        #expect(folder.names == [])
        do {
            try publish(bytes, preparer)
            return nil
        } catch {
            #expect(folder.names == [])
            return error as? PhotoError
        }
    }

    @Test(arguments: [
        ["-quality", "90"], ["-quality", "90", "-interlace", "JPEG"], ["-colorspace", "Gray"],
        ["-colorspace", "CMYK"], ["-sampling-factor", "1x1"],
    ])
    func jpegIsStoredAsSent(options: [String]) throws {
        let sent = try Tool.run("convert", Self.clouds + options + ["jpeg:-"], input: [])
        try publish(sent)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg"])
        #expect(try folder.bytes("7.jpg") == sent)
        let thumbnail = try Pixels(decoding: folder.bytes("7-thumb.jpg"))
        #expect(thumbnail.width == 90)
        #expect(thumbnail.height == 90)
    }

    @Test func whatFollowsTheImageIsKept() throws {
        let sent = try Tool.run("convert", Self.clouds + ["jpeg:-"], input: []) + Array("\0\0\0\u{18}ftypmp42".utf8)
        try publish(sent)
        #expect(try folder.bytes("7.jpg") == sent)
    }

    @Test(arguments: [true, false])
    func locationIsRemovedOnRequest(strip: Bool) throws {
        try folder.put(Tool.run("convert", Self.clouds + ["jpeg:-"], input: []), as: "sent.jpg")
        let position = ["-EXIF:GPSLatitude=48.8583701", "-EXIF:GPSLatitudeRef=N"]
        _ = try Tool.run("exiftool", ["-q", "-overwrite_original"] + position + [folder.path + "/sent.jpg"], input: [])
        let sent = try folder.bytes("sent.jpg")
        try publish(sent, PhotoPreparer(stripLocation: strip))
        let stored = try folder.bytes("7.jpg")
        #expect(stored.count == sent.count)
        #expect((stored == sent) == !strip)
        let found = try Tool.exiftool("-GPSLatitude", "-", input: stored)
        #expect(found.isEmpty == strip)
    }

    @Test func colourProfileGoesIntoTheThumbnail() throws {
        try folder.put(MadeProfile.displayP3, as: "p3.icc")
        let options = ["-profile", folder.path + "/p3.icc", "jpeg:-"]
        try publish(Tool.run("convert", Self.clouds + options, input: []))
        let thumbnail = try folder.bytes("7-thumb.jpg")
        let structure = try JPEGStructure(thumbnail.span)
        #expect(ICCProfile(of: structure, in: thumbnail.span, for: .rgb)?.bytes == MadeProfile.displayP3)
        let name = try Tool.exiftool("-s3", "-ProfileDescription", "-", input: thumbnail)
        #expect(String(decoding: name, as: UTF8.self) == "Display P3\n")
    }

    @Test func profileOfInksIsNotGivenToAnRGBThumbnail() throws {
        var inks = MadeProfile.displayP3
        inks.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        let profile = MadeJPEG().segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + inks).bytes
        let sent = try Tool.run("convert", Self.clouds + ["-colorspace", "CMYK", "jpeg:-"], input: [])
        try publish(profile + sent[2...])
        let thumbnail = try folder.bytes("7-thumb.jpg")
        #expect(try JPEGStructure(thumbnail.span).segments.isEmpty)
    }

    @Test func pngIsStoredAsJPEG() throws {
        try publish(Tool.run("convert", Self.clouds + ["png:-"], input: []))
        let stored = try folder.bytes("7.jpg")
        #expect(PhotoFormat(of: stored.span) == .jpeg)
        #expect(try Pixels(decoding: stored).width == 640)
    }

    @Test(arguments: [
        ("gif", "GIF"), ("webp", "WebP"), ("bmp", "BMP"), ("tiff", "TIFF"),
    ])
    func otherFormatsAreRefusedByName(format: String, kind: String) throws {
        let bytes = try Tool.run("convert", Self.clouds + ["\(format):-"], input: [])
        #expect(refusal(of: bytes) == .notAnImage(kind: kind))
    }

    @Test func emptyFileIsRefused() {
        #expect(refusal(of: []) == .notAnImage(kind: "an empty file"))
    }

    @Test func fileBeyondTheLimitIsRefused() throws {
        let bytes = try Tool.run("convert", Self.clouds + ["jpeg:-"], input: [])
        var limits = PhotoLimits()
        limits.bytes = bytes.count - 1
        let expected = PhotoError.tooLarge(.bytes, found: bytes.count, allowed: bytes.count - 1)
        #expect(refusal(of: bytes, PhotoPreparer(limits: limits)) == expected)
        limits = PhotoLimits()
        limits.pixels = 640 * 480 - 1
        let tooMany = PhotoError.tooLarge(.pixels, found: 307_200, allowed: 307_199)
        #expect(refusal(of: bytes, PhotoPreparer(limits: limits)) == tooMany)
    }

    @Test func progressiveBeyondTheMemoryLimitIsRefused() throws {
        let options = ["-sampling-factor", "2x2", "-interlace", "JPEG", "jpeg:-"]
        let bytes = try Tool.run("convert", Self.clouds + options, input: [])
        var limits = PhotoLimits()
        limits.memory = 640 * 480 * 3
        // 40 by 30 units of six blocks of 64 coefficients of two bytes, and a quarter of the pixels each way.
        let found = 40 * 30 * 6 * 128 + 160 * 120 * 3
        #expect(refusal(of: bytes, PhotoPreparer(limits: limits)) == .tooLarge(.memory, found: found, allowed: 921_600))
    }

    @Test func memoryOfInksAndColoursTogetherIsCounted() {
        var limits = PhotoLimits()
        limits.memory = 64 * 48 * 6
        let expected = PhotoError.tooLarge(.memory, found: 64 * 48 * 7, allowed: 64 * 48 * 6)
        #expect(refusal(of: Samples.cmyk, PhotoPreparer(limits: limits)) == expected)
    }

    @Test(arguments: ["None", "JPEG"], [0.1, 0.5, 0.9, 0.999])
    func cutInTheScanIsAcceptedAndFilled(interlace: String, part: Double) throws {
        let whole = try Tool.run("convert", Self.clouds + ["-interlace", interlace, "jpeg:-"], input: [])
        let scan = try JPEGStructure(whole.span).scanStart
        let cut = Array(whole[..<(scan + Int(Double(whole.count - scan) * part))])
        try publish(cut)
        #expect(try folder.bytes("7.jpg") == cut)
        let thumbnail = try Pixels(decoding: folder.bytes("7-thumb.jpg"))
        #expect(thumbnail.width == 90)
        // What came is there: the left of the top row of a sequential photo, and something everywhere of a
        // progressive one.
        let expected = try Pixels(
            decoding: whole,
            operations: ["-gravity", "center", "-crop", "480x480+0+0", "+repage", "-scale", "90x90!"]
        )
        let there = 90 * 3 * max(1, Int(90 * (part - 0.05)))
        let top = Pixels(width: 90, height: 1, bytes: Array(thumbnail.bytes[..<there]))
        let expectedTop = Pixels(width: 90, height: 1, bytes: Array(expected.bytes[..<there]))
        if interlace == "None" { #expect(top.meanError(to: expectedTop) < 6) }
    }

    @Test func cutBeforeTheScanIsRefused() throws {
        let whole = try Tool.run("convert", Self.clouds + ["jpeg:-"], input: [])
        let scan = try JPEGStructure(whole.span).scanStart
        for length in stride(from: 3, through: scan, by: 7) + [scan - 1, scan] {
            #expect(refusal(of: Array(whole[..<length])) == .broken("it ends before its first scan"), "\(length)")
        }
    }

    @Test func damageInsideTheScanIsAccepted() throws {
        var bytes = try Tool.run("convert", Self.clouds + ["jpeg:-"], input: [])
        let scan = try JPEGStructure(bytes.span).scanStart
        for position in stride(from: scan + 100, to: bytes.count - 100, by: 997) { bytes[position] = 0x55 }
        try publish(bytes)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg"])
    }

    @Test func missingHuffmanTablesAreRefused() {
        let made = MadeJPEG().frame().scan().end().bytes
        guard case .broken = refusal(of: made) else {
            Issue.record("not refused as broken")
            return
        }
    }
}
