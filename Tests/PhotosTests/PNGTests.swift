import Testing

@testable import Photos

@Suite struct PNGTests {
    /// What a PNG becomes.
    private struct Converted {
        var photo: [UInt8] = []
        var thumbnail: [UInt8] = []
    }

    private func convert(_ png: [UInt8], limits: PhotoLimits = PhotoLimits()) throws -> Converted {
        var converted = Converted()
        let budget = MemoryBudget(capacity: 1 << 30)
        let options = ThumbnailOptions(quality: 100)
        var photo: [UInt8] = []
        converted.thumbnail = try PNGImport.convert(png, limits: limits, budget: budget, thumbnail: options) {
            part throws(PhotoError) in
            photo += part
        }
        converted.photo = photo
        return converted
    }

    private static let clouds = ["-size", "160x120", "-seed", "7", "plasma:tomato-steelblue", "-resize", "321x205!"]
    private static let transparent = ["-size", "321x205", "gradient:", "-compose", "CopyOpacity", "-composite"]

    /// Ways of writing a PNG: ImageMagick's options, and whether the picture is gray.
    private static let kinds: [(name: String, options: [String], isGray: Bool)] = [
        ("8 bits", ["-define", "png:color-type=2", "-depth", "8"], false),
        ("16 bits", ["-define", "png:color-type=2", "-define", "png:bit-depth=16", "-depth", "16"], false),
        ("palette", ["-colors", "200", "png8:-"], false),
        ("small palette", ["-colors", "4", "png8:-"], false),
        ("opacity", transparent + ["-define", "png:color-type=6"], false),
        ("opacity of 16 bits", transparent + ["-define", "png:color-type=6", "-define", "png:bit-depth=16"], false),
        (
            "palette with opacity",
            transparent + ["-channel", "A", "-threshold", "50%", "+channel", "-colors", "99", "png8:-"], false
        ),
        ("gray", ["-colorspace", "Gray", "-define", "png:color-type=0", "-depth", "8"], true),
        (
            "gray of 16 bits", ["-colorspace", "Gray", "-define", "png:color-type=0", "-define", "png:bit-depth=16"],
            true
        ),
        (
            "gray of 4 bits",
            ["-colorspace", "Gray", "-depth", "4", "-define", "png:color-type=0", "-define", "png:bit-depth=4"], true
        ),
        (
            "black and white",
            ["-colorspace", "Gray", "-monochrome", "-define", "png:color-type=0", "-define", "png:bit-depth=1"], true
        ),
        ("gray with opacity", ["-colorspace", "Gray"] + transparent + ["-define", "png:color-type=4"], true),
    ]

    @Test(arguments: kinds, ["None", "PNG"])
    func everyKindBecomesAJPEGOverWhite(
        kind: (name: String, options: [String], isGray: Bool),
        interlace: String
    ) throws {
        var arguments = Self.clouds + kind.options + ["-interlace", interlace]
        if arguments.contains("png8:-") { arguments.removeAll { $0 == "png8:-" } }
        let png = try Tool.run("convert", arguments + [kind.options.last == "png8:-" ? "png8:-" : "png:-"], input: [])
        #expect(png[28] == (interlace == "PNG" ? 1 : 0), "the interlace method in the header")
        let converted = try convert(png)
        let structure = try JPEGStructure(converted.photo.span)
        #expect(structure.frame.width == 321)
        #expect(structure.frame.height == 205)
        #expect(structure.frame.components.count == (kind.isGray ? 1 : 3))
        #expect(!structure.isTruncated)
        #expect(try JPEGStructure(converted.thumbnail.span).frame.components.count == (kind.isGray ? 1 : 3))
        let flat = ["-background", "white", "-flatten"]
        let expected = try Pixels(decoding: png, as: "png", operations: flat)
        // Dithered palettes are what JPEG is worst at.
        #expect(try Pixels(decoding: converted.photo).meanError(to: expected) < 6)
        let cut = ["-gravity", "center", "-crop", "205x205+0+0", "+repage", "-scale", "90x90!"]
        let expectedThumbnail = try Pixels(decoding: png, as: "png", operations: flat + cut)
        let error = try Pixels(decoding: converted.thumbnail).meanError(to: expectedThumbnail)
        #expect(error < 3)
    }

    @Test(arguments: [(1, 1), (8, 8), (9, 17), (2500, 700), (16_000, 9)])
    func stripsJoinToOneImage(width: Int, height: Int) throws {
        let png = try Tool.convert(
            "-size",
            "160x120",
            "-seed",
            "7",
            "plasma:tomato-steelblue",
            "-resize",
            "\(width)x\(height)!",
            "-depth",
            "8",
            "png:-"
        )
        let photo = try convert(png).photo
        let expected = try Pixels(decoding: png, as: "png")
        let error = try Pixels(decoding: photo).meanError(to: expected)
        #expect(error < 6)
    }

    @Test func colourProfileIsCarried() throws {
        let profile = MadeProfile.displayP3
        let folder = try TemporaryFolder()
        try folder.put(profile, as: "profile.icc")
        let png = try Tool.convert("-size", "50x50", "xc:red", "-profile", folder.path + "/profile.icc", "png:-")
        let converted = try convert(png)
        for jpeg in [converted.photo, converted.thumbnail] {
            let found = ICCProfile(of: try JPEGStructure(jpeg.span), in: jpeg.span, for: .rgb)
            #expect(found?.bytes == profile)
        }
    }

    @Test func orientationOfItsEXIFDataIsKept() throws {
        let plain = try Tool.convert("-size", "60x30", "gradient:red-blue", "-depth", "8", "png:-")
        let folder = try TemporaryFolder()
        try folder.put(plain, as: "turned.png")
        _ = try Tool.exiftool("-q", "-n", "-overwrite_original", "-Orientation=6", folder.path + "/turned.png")
        let png = try folder.bytes("turned.png")
        let converted = try convert(png)
        #expect(try JPEGStructure(converted.photo.span).orientation == .turnedLeft)
        #expect(try JPEGStructure(converted.thumbnail.span).orientation == .upright)
        let operations = ["-gravity", "center", "-crop", "30x30+0+0", "+repage", "-rotate", "90", "-resize", "90x90!"]
        let expected = try Pixels(decoding: plain, as: "png", operations: operations)
        #expect(try Pixels(decoding: converted.thumbnail).meanError(to: expected) < 3)
    }

    @Test func gammaCounts() throws {
        let plain = try Tool.convert(
            "-size",
            "20x20",
            "xc:gray(128)",
            "-strip",
            "-define",
            "png:exclude-chunk=all",
            "png:-"
        )
        #expect(try Pixels(decoding: convert(plain).photo).bytes.allSatisfy { abs(Int($0) - 128) < 2 })
        // Its values are said to be linear light, so it is brighter.
        let linear = PNGChunk.inserted("gAMA", [0, 1, 0x86, 0xA0], into: plain)
        #expect(try Pixels(decoding: convert(linear).photo).bytes.allSatisfy { abs(Int($0) - 188) < 3 })
        // The value that nearly all files have changes nothing.
        let usual = PNGChunk.inserted("gAMA", [0, 0, 0xB1, 0x8F], into: plain)
        #expect(try Pixels(decoding: convert(usual).photo).bytes.allSatisfy { abs(Int($0) - 128) < 2 })
    }

    @Test func everyCutIsRefused() throws {
        let png = try Tool.convert("-size", "20x20", "-seed", "7", "plasma:", "-depth", "8", "-strip", "png:-")
        for length in 8..<png.count - 16 {
            #expect(throws: PhotoError.self, "\(length) bytes") { try convert(Array(png[..<length])) }
        }
        #expect(throws: Never.self) { try convert(png) }
    }

    @Test func damageIsRefusedOrHarmless() throws {
        let png = try Tool.convert("-size", "20x20", "-seed", "7", "plasma:", "-depth", "8", "-strip", "png:-")
        for position in 8..<png.count {
            var damaged = png
            damaged[position] ^= 0x55
            _ = try? convert(damaged)
        }
    }

    @Test func claimOfGigapixelsIsRefusedWithoutMemory() {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        png += [0, 0, 0xFA, 0, 0, 0, 0xFA, 0, 8, 6, 0, 0, 1, 0, 0, 0, 0]
        #expect(throws: PhotoError.tooLarge(.pixels, found: 4_096_000_000, allowed: 50_000_000)) { try convert(png) }
        png[16] = 0x7F
        #expect(throws: PhotoError.tooLarge(.side, found: 2_130_770_432, allowed: 65_500)) { try convert(png) }
    }

    @Test func interlacedBeyondTheMemoryLimitIsRefused() throws {
        let png = try Tool.convert(
            "-size",
            "300x200",
            "xc:red",
            "-depth",
            "8",
            "-define",
            "png:color-type=2",
            "-interlace",
            "PNG",
            "png:-"
        )
        var limits = PhotoLimits()
        limits.memory = 300 * 200 * 3
        #expect(throws: Never.self) { try convert(png, limits: limits) }
        limits.memory -= 1
        #expect(throws: PhotoError.tooLarge(.memory, found: 180_000, allowed: 179_999)) {
            try convert(png, limits: limits)
        }
    }
}
