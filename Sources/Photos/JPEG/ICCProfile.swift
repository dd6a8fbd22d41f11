/// A colour profile, as a JPEG or PNG carries it.
///
/// It is taken over without being understood, except for the kind of pixels that it is for.
struct ICCProfile: Equatable {
    /// A greater profile is left out of thumbnails; those in use for photos have 0.5 to 60 KB.
    static let greatestSize = 512 * 1024

    /// The profile's bytes.
    let bytes: [UInt8]

    /// Takes a profile if it is one for pixels of the given layout.
    ///
    /// A photo can carry the profile of its CMYK inks, which would be wrong for the RGB pixels we make of them.
    init?(_ bytes: [UInt8], for layout: PixelImage.Layout) {
        let header = bytes.span
        // ICC.1, 7.2: the colour space at 16, the file signature at 36, in a header of 128 bytes.
        guard (128...Self.greatestSize).contains(bytes.count), header.matches("acsp", at: 36) else { return nil }
        switch layout {
        case .gray: guard header.matches("GRAY", at: 16) else { return nil }
        case .rgb: guard header.matches("RGB ", at: 16) else { return nil }
        case .invertedCMYK: return nil
        }
        self.bytes = bytes
    }

    /// Puts together the profile that a JPEG carries in one or more segments; nil if one is missing.
    ///
    /// Each starts with its number, from 1, and the number of all (ICC.1, B.4). They may come in any order.
    init?(of structure: JPEGStructure, in file: Span<UInt8>, for layout: PixelImage.Layout) {
        let segments = structure.segments.filter { $0.kind == .iccProfile }.map(\.payload)
        var chunks: [Int: Range<Int>] = [:]
        for segment in segments where segment.count > 2 {
            guard Int(file[segment.lowerBound + 1]) == segments.count else { return nil }
            chunks[Int(file[segment.lowerBound])] = segment.dropFirst(2)
        }
        var bytes: [UInt8] = []
        for number in 1..<segments.count + 1 {
            guard let chunk = chunks[number], bytes.count + chunk.count <= Self.greatestSize else { return nil }
            bytes += file.copy(chunk)
        }
        self.init(bytes, for: layout)
    }

    /// The profile as JPEG segments, each with its marker.
    var segments: [UInt8] {
        // A segment's length field counts itself, the signature, the two numbers and the chunk.
        let room = 65_535 - 2 - 14
        let count = (bytes.count + room - 1) / room
        var segments: [UInt8] = []
        for number in 0..<count {
            let chunk = bytes[number * room..<min((number + 1) * room, bytes.count)]
            let length = 2 + 14 + chunk.count
            segments += [0xFF, JPEGMarker.app2.code, UInt8(length >> 8), UInt8(length & 0xFF)]
            segments += Array("ICC_PROFILE\0".utf8)
            segments += [UInt8(number + 1), UInt8(count)]
            segments += chunk
        }
        return segments
    }

    /// The JPEG with the profile in it.
    ///
    /// - Parameter jpeg: A file that the encoder made, which starts with its JFIF segment.
    func embedded(in jpeg: [UInt8]) -> [UInt8] {
        let start = jpeg.span
        var position = 2
        // JFIF wants to be first.
        if start.matches([0xFF, JPEGMarker.app0.code], at: position), let length = start.number16(at: position + 2) {
            position = min(position + 2 + length, jpeg.count)
        }
        return jpeg[..<position] + segments + jpeg[position...]
    }
}
