import Testing

@testable import Photos

/// Thumbnails compared with those of ImageMagick, an independent program.
///
/// The permitted mean error, of 255, is what encoding and the coarsest colour sampling cost; a wrong orientation, crop
/// or colour costs 20 and more.
@Suite struct ThumbnailReferenceTests {
    /// What ImageMagick does to an upright picture so that it is stored as the orientation says.
    private static let storing: [(Orientation, [String])] = [
        (.upright, []), (.mirrored, ["-flop"]), (.upsideDown, ["-rotate", "180"]), (.mirroredUpsideDown, ["-flip"]),
        (.mirroredLeft, ["-transpose"]), (.turnedLeft, ["-rotate", "270"]), (.mirroredRight, ["-transverse"]),
        (.turnedRight, ["-rotate", "90"]),
    ]

    /// A picture without any symmetry.
    private static func picture(_ width: Int, _ height: Int) throws -> [UInt8] {
        // Random clouds of a fixed seed, enlarged so that encoding loses little.
        try Tool.convert(
            "-size",
            "160x120",
            "-seed",
            "7",
            "plasma:tomato-steelblue",
            "-resize",
            "\(width)x\(height)!",
            "-depth",
            "8",
            "ppm:-"
        )
    }

    private static let photo = Result { try picture(331, 257) }

    private static let samplings = ["1x1", "2x1", "1x2", "2x2", "4x1", "4x2"]

    @Test(arguments: storing, samplings)
    func everyOrientationInEverySampling(storing: (Orientation, [String]), sampling: String) throws {
        let encoding = ["-quality", "95", "-sampling-factor", sampling, "jpeg:-"]
        let plain = try Tool.run("convert", ["ppm:-"] + storing.1 + encoding, input: Self.photo.get())
        let jpeg = Array(plain[..<2]) + storing.0.exifSegment + plain[2...]
        let error = try ThumbnailCase.error(of: jpeg, options: ThumbnailOptions(quality: 100))
        #expect(error < 2)
    }

    private static let sizes = [
        (1, 1), (1, 5001), (5001, 1), (2, 2), (3, 7), (16, 16), (89, 91), (90, 90), (91, 300), (179, 181), (720, 719),
        (721, 1500), (1999, 1333),
    ]

    @Test(arguments: sizes, ["JPEG", "None"])
    func everySize(size: (width: Int, height: Int), interlace: String) throws {
        let picture = try Self.picture(size.width, size.height)
        let jpeg = try Tool.convert("ppm:-", "-quality", "97", "-interlace", interlace, "jpeg:-", input: picture)
        for options in [ThumbnailOptions(quality: 100), ThumbnailOptions(side: 180, fit: .stretch, quality: 100)] {
            let error = try ThumbnailCase.error(of: jpeg, options: options)
            #expect(error < 2, "\(options)")
        }
    }

    @Test(arguments: [(1, 5000), (5000, 1)])
    func middleOfAThinPhotoLiesBetweenTwoPixels(width: Int, height: Int) throws {
        let jpeg = try Tool.convert("ppm:-", "jpeg:-", input: Self.picture(width, height))
        let pixels = try Pixels(decoding: jpeg).bytes
        let first = pixels[2499 * 3..<2500 * 3]
        let second = pixels[2500 * 3..<2501 * 3]
        // One half of the thumbnail shows the one, the other half the other.
        let isFlat = height == 1
        let expected = (0..<90 * 90).flatMap { (isFlat ? $0 % 90 : $0 / 90) < 45 ? first : second }
        let thumbnail = try ThumbnailCase.thumbnail(of: jpeg, options: ThumbnailOptions(quality: 100))
        #expect(thumbnail.meanError(to: Pixels(width: 90, height: 90, bytes: expected)) < 2)
    }

    @Test(arguments: [1, 2, 33, 45, 90, 180, 320])
    func everySide(side: Int) throws {
        let picture = try Self.picture(1200, 900)
        let jpeg = try Tool.convert("ppm:-", "-quality", "95", "jpeg:-", input: picture)
        let options = ThumbnailOptions(side: side, quality: 100)
        let error = try ThumbnailCase.error(of: jpeg, options: options)
        #expect(error < 2)
    }

    @Test func grayStaysGray() throws {
        let picture = try Tool.convert("ppm:-", "-colorspace", "Gray", "ppm:-", input: Self.picture(300, 200))
        let jpeg = try Tool.convert("ppm:-", "jpeg:-", input: picture)
        #expect(try JPEGStructure(jpeg.span).frame.components.count == 1)
        let error = try ThumbnailCase.error(of: jpeg, options: ThumbnailOptions())
        #expect(error < 2)
        let thumbnail = try ThumbnailOptions().thumbnail(
            of: jpeg,
            structure: JPEGStructure(jpeg.span),
            limits: PhotoLimits(),
            budget: MemoryBudget(capacity: 1 << 20)
        )
        #expect(try JPEGStructure(thumbnail.span).frame.components.count == 1)
    }

    @Test func cmykLooksAsInBrowsers() throws {
        // ImageMagick stores the inks inverted and with the Adobe marker, as Photoshop does.
        let picture = try Self.picture(300, 200)
        let jpeg = try Tool.convert("ppm:-", "-colorspace", "CMYK", "-quality", "97", "jpeg:-", input: picture)
        let structure = try JPEGStructure(jpeg.span)
        #expect(structure.frame.components.count == 4)
        #expect(structure.adobeTransform != nil)
        let error = try ThumbnailCase.error(of: jpeg, options: ThumbnailOptions(quality: 100))
        #expect(error < 2)
    }

    @Test(arguments: [
        (Samples.ycck, 4, UInt8(2)), (Samples.cmyk, 4, 0), (Samples.rgb, 3, 0), (Samples.scans, 3, nil),
    ])
    func rarerKindsOfColour(sample: [UInt8], components: Int, adobeTransform: UInt8?) throws {
        let structure = try JPEGStructure(sample.span)
        #expect(structure.frame.components.count == components)
        #expect(structure.adobeTransform == adobeTransform)
        #expect(structure.needsAllCoefficients == (structure.scans == 3))
        for side in [12, 48, 90] {
            let error = try ThumbnailCase.error(of: sample, options: ThumbnailOptions(side: side, quality: 100))
            #expect(error < 2.5, "\(side)")
        }
    }
}
