/// The TIFF structure inside EXIF data: directories of twelve-byte entries, in either byte order.
struct TIFFReader {
    /// The whole TIFF structure, to which all offsets in it relate.
    let range: Range<Int>
    let littleEndian: Bool
    /// Where the first directory (IFD0) starts, as a position in the file.
    let firstDirectory: Int

    /// Entries of a directory that are looked at: cameras write fewer than a hundred.
    private static let greatestCount = 1024

    /// A directory entry.
    struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        /// Where the entry itself stands in the file.
        var position: Int
        /// Where its value, or the offset of its value, stands in the file.
        var valueField: Int { position + 8 }
    }

    /// Reads the header in `range`; nil if there is none or its first directory lies outside.
    init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
        if bytes.matches([0x49, 0x49, 0x2A, 0x00], at: range.lowerBound) {
            littleEndian = true
        } else if bytes.matches([0x4D, 0x4D, 0x00, 0x2A], at: range.lowerBound) {
            littleEndian = false
        } else {
            return nil
        }
        guard
            range.upperBound <= bytes.count,
            let offset = bytes.number32(at: range.lowerBound + 4, littleEndian: littleEndian),
            offset < range.count
        else { return nil }
        self.range = range
        firstDirectory = range.lowerBound + offset
    }

    /// The entries of the directory at `position`, as many as lie within the structure.
    func entries(at position: Int, in bytes: Span<UInt8>) -> [Entry] {
        guard range.contains(position), let count = number16(at: position, in: bytes) else { return [] }
        var entries: [Entry] = []
        for index in 0..<min(count, Self.greatestCount) {
            let start = position + 2 + 12 * index
            guard start + 12 <= range.upperBound else { break }
            guard
                let tag = number16(at: start, in: bytes),
                let type = number16(at: start + 2, in: bytes),
                let count = number32(at: start + 4, in: bytes)
            else { break }
            entries.append(Entry(tag: tag, type: type, count: count, position: start))
        }
        return entries
    }

    /// Two bytes of the structure as a number.
    func number16(at position: Int, in bytes: Span<UInt8>) -> Int? {
        position + 2 <= range.upperBound ? bytes.number16(at: position, littleEndian: littleEndian) : nil
    }

    /// Four bytes of the structure as a number.
    func number32(at position: Int, in bytes: Span<UInt8>) -> Int? {
        position + 4 <= range.upperBound ? bytes.number32(at: position, littleEndian: littleEndian) : nil
    }
}

extension Orientation {
    /// Reads the tag Orientation (0x0112) from EXIF data; whatever is odd about it, the photo counts as upright.
    init(exif payload: Range<Int>, in bytes: Span<UInt8>) {
        self = .upright
        guard let reader = TIFFReader(payload, in: bytes) else { return }
        let entries = reader.entries(at: reader.firstDirectory, in: bytes)
        // Type 3 is SHORT; browsers heed nothing else.
        guard
            let entry = entries.first(where: { $0.tag == 0x0112 }), entry.type == 3, entry.count == 1,
            let value = reader.number16(at: entry.valueField, in: bytes),
            let orientation = Orientation(rawValue: value)
        else { return }
        self = orientation
    }
}

extension Orientation {
    /// A JPEG segment with EXIF data that holds the orientation alone; empty for an upright image.
    var exifSegment: [UInt8] {
        guard self != .upright else { return [] }
        // Big-endian TIFF with one directory at 8 and one entry: tag 0x0112, SHORT, one value.
        let exif: [UInt8] =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8]
            + [0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(rawValue), 0, 0] + [0, 0, 0, 0]
        return [0xFF, JPEGMarker.app1.code, 0, UInt8(2 + exif.count)] + exif
    }
}
