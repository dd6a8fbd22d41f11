import Testing

@testable import Photos

@Suite struct PhotoFormatTests {
    private static let files: [([UInt8], PhotoFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], PhotoFormat.jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([], .other("an empty file")),
        ([0xFF, 0xD8], .other("unknown")),
        (Array("GIF89a".utf8), .other("GIF")),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .other("WebP")),
        (Array("RIFF\0\0\0\0WAVEfmt ".utf8), .other("RIFF")),
        (Array("\0\0\0\u{18}ftypheic".utf8), .other("HEIC")),
        (Array("\0\0\0\u{18}ftypmif1".utf8), .other("HEIC")),
        (Array("\0\0\0\u{18}ftypavif".utf8), .other("AVIF")),
        (Array("\0\0\0\u{14}ftypqt  ".utf8), .other("QuickTime")),
        (Array("\0\0\0\u{18}ftypmp42".utf8), .other("MP4")),
        (Array("II*\0".utf8), .other("TIFF")),
        (Array("MM\0*".utf8), .other("TIFF")),
        (Array("%PDF-1.7".utf8), .other("PDF")),
        (Array("<?php echo 1;".utf8), .other("PHP")),
        (Array("<svg xmlns".utf8), .other("SVG")),
        (Array("hello".utf8), .other("unknown")),
    ]

    @Test(arguments: files)
    func isToldByFirstBytes(bytes: [UInt8], expected: PhotoFormat) {
        #expect(PhotoFormat(of: bytes.span) == expected)
    }
}
