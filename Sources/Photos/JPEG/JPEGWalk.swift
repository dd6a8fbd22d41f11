/// A walk over the markers of a JPEG file.
struct JPEGWalk {
    /// Where the next marker is looked for.
    private(set) var position: Int

    /// Starts at `start`, usually after the start marker.
    init(start: Int) { position = start }

    /// The next marker with the place of its contents (empty for markers without), or nil at the end of the file.
    ///
    /// Bytes that are no marker are skipped, as libjpeg does.
    ///
    /// - Throws: `PhotoError.broken` for a segment that claims to be shorter than its own length field.
    ///   A segment that runs beyond the end of the file counts as the end.
    mutating func next(in bytes: Span<UInt8>) throws(PhotoError) -> (JPEGMarker, Range<Int>)? {
        while let prefix = bytes.firstFF(from: position) {
            position = prefix + 1
            // Any number of 0xFF may stand before a marker (T.81, B.1.1.2), and 0xFF 0x00 is none.
            guard let code = bytes.byte(at: position), code != 0xFF, code != 0x00 else { continue }
            position += 1
            let marker = JPEGMarker(code: code)
            if marker.standsAlone { continue }
            if marker == .endOfImage || marker == .startOfImage { return (marker, position..<position) }
            guard let length = bytes.number16(at: position) else { return nil }
            guard length >= 2 else { throw .broken("a segment has an impossible length") }
            let segment = position + 2..<position + length
            guard segment.upperBound <= bytes.count else { return nil }
            position = segment.upperBound
            return (marker, segment)
        }
        return nil
    }

    /// Goes from the start of a scan's data to the marker that ends it.
    mutating func skipEntropyCodedData(in bytes: Span<UInt8>) {
        while let prefix = bytes.firstFF(from: position) {
            position = prefix
            guard let code = bytes.byte(at: prefix + 1) else { break }
            if code == 0xFF {
                position = prefix + 1
            } else if code == 0x00 || JPEGMarker(code: code).isRestart {
                position = prefix + 2
            } else {
                return
            }
        }
        position = bytes.count
    }
}
