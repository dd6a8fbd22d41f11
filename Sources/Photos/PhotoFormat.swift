/// What a file is, told by its first bytes and never by its name or the type the client claimed.
enum PhotoFormat: Equatable {
    case jpeg
    case png
    /// Something that is not accepted, by the name that goes to the log.
    case other(String)

    /// Recognizes a file by its first bytes; 64 of them are enough.
    init(of bytes: Span<UInt8>) {
        if bytes.matches([0xFF, 0xD8, 0xFF], at: 0) {
            self = .jpeg
        } else if bytes.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            self = .png
        } else if bytes.isEmpty {
            self = .other("an empty file")
        } else if bytes.matches("ftyp", at: 4) {
            self = .other(Self.mediaName(of: bytes))
        } else if bytes.matches("RIFF", at: 0) {
            self = .other(bytes.matches("WEBP", at: 8) ? "WebP" : "RIFF")
        } else {
            let known = Self.signatures.first { bytes.matches($0.bytes, at: 0) }
            self = .other(known?.name ?? "unknown")
        }
    }

    /// Formats which people do send, with the bytes they start with.
    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("GIF", Array("GIF8".utf8)),
        ("BMP", Array("BM".utf8)),
        ("TIFF", [0x49, 0x49, 0x2A, 0x00]),
        ("TIFF", [0x4D, 0x4D, 0x00, 0x2A]),
        ("JPEG 2000", [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
        ("JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
        ("JPEG XL", [0xFF, 0x0A]),
        ("JPEG XL", [0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20]),
        ("Photoshop", Array("8BPS".utf8)),
        ("PDF", Array("%PDF".utf8)),
        ("ZIP", [0x50, 0x4B, 0x03, 0x04]),
        ("icon", [0x00, 0x00, 0x01, 0x00]),
        ("XML", Array("<?xml".utf8)),
        ("SVG", Array("<svg".utf8)),
        ("HTML", Array("<!".utf8)),
        ("HTML", Array("<html".utf8)),
        ("PHP", Array("<?php".utf8)),
    ]

    /// Tells HEIC, AVIF and films apart by the brand in the ISO base media header (ISO 14496-12).
    private static func mediaName(of bytes: Span<UInt8>) -> String {
        for brand in ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
        where bytes.matches(brand, at: 8) {
            return "HEIC"
        }
        if bytes.matches("avif", at: 8) || bytes.matches("avis", at: 8) { return "AVIF" }
        return bytes.matches("qt  ", at: 8) ? "QuickTime" : "MP4"
    }
}
