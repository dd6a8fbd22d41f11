import Testing

@testable import ContractSuite

@Suite struct PictureTests {
    @Test(arguments: [
        (Sample.baseline, 12, 8), (Sample.progressive, 12, 8), (Sample.grayscale, 12, 8), (Sample.cmyk, 12, 8),
        (Sample.rotated, 48, 48), (Sample.upright, 48, 48), (Sample.wide, 96, 32), (Sample.noisy, 40, 40),
        (Sample.truncated, 40, 40), (Sample.withTrailer, 12, 8), (Sample.awkward, 12, 8),
        (Sample.absurdlyLarge, 65_500, 65_500), (Sample.heavy(comments: 2), 12, 8),
    ])
    func sizes(_ picture: [UInt8], _ width: Int, _ height: Int) throws {
        let frame = try #require(JPEGFrame(picture))
        #expect(frame.width == width)
        #expect(frame.height == height)
    }

    @Test(arguments: [[], [0xff, 0xd8], Sample.png, Sample.gif, Array("<html>".utf8)])
    func noPicture(_ bytes: [UInt8]) {
        #expect(JPEGFrame(bytes) == nil)
        #expect(JPEGBrightness(bytes) == nil)
    }

    @Test(arguments: [(5, 0), (95, 255)])
    func leftIsBlackAndRightIsWhite(_ x: Int, _ value: Int) throws {
        for picture in [Sample.rotated, Sample.upright] {
            let brightness = try #require(JPEGBrightness(picture))
            #expect(abs(brightness.brightness(xPercent: x, yPercent: 5) - value) < 8)
            #expect(abs(brightness.brightness(xPercent: x, yPercent: 95) - value) < 8)
        }
    }

    @Test(arguments: [(5, 0), (50, 255), (95, 0)])
    func onlyTheMiddleIsWhite(_ x: Int, _ value: Int) throws {
        let brightness = try #require(JPEGBrightness(Sample.wide))
        #expect(abs(brightness.brightness(xPercent: x, yPercent: 50) - value) < 8)
    }

    /// Red over blue, 4:2:0: the luminance of pure red is 76, of pure blue 29 (ITU-T T.871).
    @Test func colourIsReadByItsLuminance() throws {
        let brightness = try #require(JPEGBrightness(Sample.baseline))
        #expect((30...76).contains(brightness.brightness(xPercent: 10, yPercent: 10)))
    }

    @Test func aCutOrProgressivePictureIsNotGuessedAt() {
        #expect(JPEGBrightness(Sample.truncated) == nil)
        #expect(JPEGBrightness(Sample.progressive) == nil)
        for count in 0..<Sample.wide.count - 2 {
            #expect(JPEGBrightness(Array(Sample.wide.prefix(count))) == nil)
        }
    }

    @Test func theUprightPictureIsTheRotatedOneWithoutEXIF() {
        #expect(Sample.upright.count < Sample.rotated.count)
        #expect(!Sample.upright.contains(0xe1))
        #expect(Sample.upright.suffix(20) == Sample.rotated.suffix(20))
    }

    @Test(
        arguments: [("", []), ("AA==", [0]), ("/+8=", [0xff, 0xef]), ("TWFu", [0x4d, 0x61, 0x6e])]
            as [(String, [UInt8])]
    )
    func base64(_ text: String, _ bytes: [UInt8]) {
        #expect(base64Decoded(text) == bytes)
    }
}
