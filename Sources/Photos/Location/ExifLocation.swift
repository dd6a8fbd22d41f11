/// The position in EXIF data: the GPS directory, to which an entry of another directory points.
enum ExifLocation {
    /// The tag of the entry that points to the GPS directory.
    private static let pointer = 0x8825
    /// The tag of the entry that points to the Exif directory.
    private static let exifPointer = 0x8769
    /// Directories and pointers that are followed: photos have two or three, a made-up file could have thousands.
    private static let greatestCount = 8

    /// What has to be replaced in the EXIF data at `payload` so that it holds no position.
    ///
    /// Where more directories hold one than in any photo, following them all would take long, and everything goes.
    static func patches(for payload: Range<Int>, in bytes: Span<UInt8>) -> [Patch] {
        guard let reader = TIFFReader(payload, in: bytes) else { return [] }
        let original = bytes.copy(payload)
        var editor = TIFFEditor(reader: reader, bytes: original)
        /// The GPS directories by where they start, each with the parts that go if it tells a place.
        var found: [Int: [Range<Int>]] = [:]
        var others: [Range<Int>] = []
        for directory in directories(of: reader, in: bytes) {
            let all = reader.entries(at: directory, in: bytes)
            let pointers = all.filter { $0.tag == pointer }
            others.append(reader.table(at: directory, in: bytes))
            others += all.compactMap { $0.tag == pointer ? nil : reader.outlyingValue(of: $0, in: bytes) }
            guard pointers.count <= greatestCount else { return [blank(payload)] }
            // From the last entry to the first, since each removal moves those behind it.
            for entry in pointers.reversed() {
                guard let offset = reader.number32(at: entry.valueField, in: bytes) else { continue }
                let start = reader.range.lowerBound + offset
                if found[start] == nil {
                    guard found.count < greatestCount else { return [blank(payload)] }
                    found[start] = position(at: start, of: reader, in: bytes)
                }
                if found[start] != [] {
                    editor.removeEntry(at: entry.position, ofDirectoryAt: directory)
                }
            }
        }
        // Some programs move the other values and forget the GPS directory, which then points in between them.
        editor.clear(found.values.flatMap { $0 }, except: others)
        return editor.bytes == original ? [] : [Patch(offset: payload.lowerBound, bytes: editor.bytes)]
    }

    /// Zeros instead of all EXIF data.
    static func blank(_ payload: Range<Int>) -> Patch {
        Patch(offset: payload.lowerBound, bytes: Array(repeating: 0, count: payload.count))
    }

    /// The parts of the structure that a GPS directory takes, with its values; none if it tells no place.
    private static func position(at start: Int, of reader: TIFFReader, in bytes: Span<UInt8>) -> [Range<Int>] {
        let entries = reader.entries(at: start, in: bytes)
        guard entries.contains(where: { holdsPosition(tag: $0.tag) }) else { return [] }
        return [reader.table(at: start, in: bytes)] + entries.compactMap { reader.outlyingValue(of: $0, in: bytes) }
    }

    /// Whether a tag of the GPS directory tells a place, by coordinates or by name.
    ///
    /// Some phones write version, time or the compass's direction even where location is switched off.
    static func holdsPosition(tag: Int) -> Bool {
        switch tag {
        case 0x00, 0x07...0x12, 0x1D...0x1F: false
        default: true
        }
    }

    /// The directories in which an entry can point to the GPS directory: those in the main chain, and the Exif
    /// directory.
    private static func directories(of reader: TIFFReader, in bytes: Span<UInt8>) -> [Int] {
        var found: [Int] = []
        var next: Int? = reader.firstDirectory
        // A chain can be a circle.
        while let directory = next, !found.contains(directory), found.count < greatestCount {
            found.append(directory)
            let table = reader.table(at: directory, in: bytes)
            next = reader.number32(at: table.upperBound - 4, in: bytes).flatMap {
                $0 == 0 || $0 >= reader.range.count ? nil : reader.range.lowerBound + $0
            }
        }
        for directory in found {
            for entry in reader.entries(at: directory, in: bytes) where entry.tag == exifPointer {
                guard
                    let offset = reader.number32(at: entry.valueField, in: bytes),
                    !found.contains(reader.range.lowerBound + offset), found.count < greatestCount
                else { continue }
                found.append(reader.range.lowerBound + offset)
            }
        }
        return found
    }
}

extension TIFFReader {
    /// The place of a directory with its count, its entries and the offset of the next one, within the structure.
    fileprivate func table(at position: Int, in bytes: Span<UInt8>) -> Range<Int> {
        let length = 2 + 12 * entries(at: position, in: bytes).count + 4
        return (position..<position + length).clamped(to: range)
    }

    /// The place of an entry's value if it stands outside the entry and inside the structure.
    fileprivate func outlyingValue(of entry: Entry, in bytes: Span<UInt8>) -> Range<Int>? {
        // Sizes of the types from BYTE to DOUBLE (TIFF 6.0, page 15).
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
        guard sizes.indices.contains(entry.type), sizes[entry.type] * entry.count > 4 else { return nil }
        guard let offset = number32(at: entry.valueField, in: bytes) else { return nil }
        let start = range.lowerBound + offset
        return (start..<start + sizes[entry.type] * entry.count).clamped(to: range)
    }
}
