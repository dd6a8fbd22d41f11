import Testing

@testable import Photos

@Suite struct ICCProfileTests {
    /// A profile of the given length with a plausible header.
    private static func profile(space: String = "RGB ", length: Int = 200) -> [UInt8] {
        var bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        bytes.replaceSubrange(16..<20, with: Array(space.utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }

    private static func chunk(_ number: UInt8, of count: UInt8, _ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array("ICC_PROFILE\0".utf8) + [number, count] + bytes
    }

    private func read(_ chunks: [[UInt8]]) throws -> ICCProfile? {
        var made = MadeJPEG()
        for chunk in chunks { made = made.segment(0xE2, chunk) }
        let file = made.frame().scan().bytes
        return ICCProfile(of: try JPEGStructure(file.span), in: file.span, for: .rgb)
    }

    @Test func isPutTogetherFromChunksInAnyOrder() throws {
        let whole = Self.profile()
        let first = Self.chunk(1, of: 3, whole[..<50])
        let second = Self.chunk(2, of: 3, whole[50..<120])
        let third = Self.chunk(3, of: 3, whole[120...])
        #expect(try read([first, second, third])?.bytes == whole)
        #expect(try read([third, first, second])?.bytes == whole)
    }

    @Test func incompleteProfileIsNone() throws {
        let whole = Self.profile()
        let first = Self.chunk(1, of: 2, whole[..<150])
        #expect(try read([]) == nil)
        #expect(try read([first]) == nil)
        #expect(try read([first, first]) == nil)
        #expect(try read([first, Self.chunk(2, of: 3, whole[150...])]) == nil)
        #expect(try read([first, Self.chunk(0, of: 2, whole[150...])]) == nil)
        #expect(try read([Self.chunk(1, of: 1, [])]) == nil)
    }

    @Test(arguments: [
        ("RGB ", PixelImage.Layout.rgb, true), ("GRAY", .gray, true), ("RGB ", .gray, false),
        ("GRAY", .rgb, false), ("CMYK", .rgb, false), ("CMYK", .invertedCMYK, false),
    ])
    func mustSuitThePixels(space: String, layout: PixelImage.Layout, suits: Bool) {
        #expect((ICCProfile(Self.profile(space: space), for: layout) != nil) == suits)
    }

    @Test(arguments: [200, 65_519, 65_520, 200_000, ICCProfile.greatestSize])
    func segmentsReadBack(length: Int) throws {
        let profile = try #require(ICCProfile(Self.profile(length: length), for: .rgb))
        let made = MadeJPEG().segment(0xE0, Array("JFIF\0".utf8)).frame().scan().end().bytes
        let file = profile.embedded(in: made)
        let structure = try JPEGStructure(file.span)
        #expect(structure.frame.width == 16)
        #expect(ICCProfile(of: structure, in: file.span, for: .rgb) == profile)
        #expect(file.starts(with: made[..<11]))
    }

    @Test func hugeProfileIsNotCarried() {
        #expect(ICCProfile(Self.profile(length: ICCProfile.greatestSize + 1), for: .rgb) == nil)
    }
}
