extension JPEGStructure {
    /// What has to be replaced in the file so that it no longer tells where the photo was taken.
    ///
    /// The position stands in the EXIF data's GPS directory and in the XMP properties that mirror it; both are blanked
    /// where they stand, so nothing moves, and everything else stays byte for byte as it was: pixels, orientation,
    /// the maker's notes, and the offsets by which further images (MPF) and films behind the photo are found.
    /// Further JPEG images in the file, such as a gain map or a large preview, carry the position too and are treated
    /// likewise.
    ///
    /// - Returns: Nothing for a photo without a position.
    func locationPatches(in bytes: Span<UInt8>) -> [Patch] {
        var exifSegments = Self.exifSegmentsRead
        var patches = Self.locationPatches(in: segments, of: bytes, &exifSegments)
        var position = scanStart
        // One that starts inside the metadata of another was read with it.
        for start in furtherImages(in: bytes) where start >= position {
            let (segments, end) = Segment.all(ofImageAt: start, in: bytes)
            patches += Self.locationPatches(in: segments, of: bytes, &exifSegments)
            position = end
        }
        return patches
    }

    /// EXIF segments of a file that are read.
    ///
    /// Photos have one for each image. A made-up file could have thousands, whose directories take long to follow; what
    /// is beyond is blanked as a whole.
    private static let exifSegmentsRead = 64

    /// The patches for one image's metadata.
    ///
    /// - Parameter exifSegments: how many EXIF segments may still be read.
    private static func locationPatches(
        in segments: [Segment],
        of bytes: Span<UInt8>,
        _ exifSegments: inout Int
    ) -> [Patch] {
        var patches: [Patch] = []
        var extended: [Range<Int>] = []
        for segment in segments {
            switch segment.kind {
            case .exif:
                exifSegments -= 1
                patches +=
                    exifSegments >= 0
                    ? ExifLocation.patches(for: segment.payload, in: bytes) : [ExifLocation.blank(segment.payload)]
            case .xmp:
                patches += XMPLocation.patches(for: [segment.payload], in: bytes)
            case .extendedXMP:
                // A digest of 32 characters, the length of the whole and the offset of this part precede the text.
                if segment.payload.count > 40 { extended.append(segment.payload.dropFirst(40)) }
            case .iccProfile, .multiPicture:
                break
            }
        }
        // A property can lie across two parts.
        extended.sort { (bytes.number32(at: $0.lowerBound - 4) ?? 0) < (bytes.number32(at: $1.lowerBound - 4) ?? 0) }
        return patches + XMPLocation.patches(for: extended, in: bytes)
    }

    /// Where further JPEG images start: those the multi-picture index names (CIPA DC-007), and those that follow
    /// immediately on another.
    private func furtherImages(in bytes: Span<UInt8>) -> [Int] {
        var starts: Set<Int> = []
        for index in segments where index.kind == .multiPicture {
            guard let reader = TIFFReader(index.payload, in: bytes) else { continue }
            let entries = reader.entries(at: reader.firstDirectory, in: bytes)
            // The tag MP Entry holds 16 bytes for each image: attributes, size, offset, dependents.
            guard
                let list = entries.first(where: { $0.tag == 0xB002 }),
                let offset = reader.number32(at: list.valueField, in: bytes)
            else { continue }
            for image in 0..<min(list.count / 16, 32) {
                let field = reader.range.lowerBound + offset + 16 * image + 8
                guard let offset = reader.number32(at: field, in: bytes), offset > 0 else { continue }
                starts.insert(reader.range.lowerBound + offset)
            }
        }
        if let imageEnd { starts.insert(imageEnd) }
        return starts.filter { bytes.matches([0xFF, 0xD8, 0xFF], at: $0) }.sorted()
    }
}

extension JPEGStructure.Segment {
    /// The metadata segments of an image that starts somewhere in the file, up to its first scan, and where that is.
    fileprivate static func all(ofImageAt start: Int, in bytes: Span<UInt8>) -> (segments: [Self], end: Int) {
        var walk = JPEGWalk(start: start + 2)
        var segments: [Self] = []
        // An image that is damaged is treated as far as it can be read.
        while let found = try? walk.next(in: bytes) {
            let (marker, contents) = found
            if marker == .startOfScan || marker == .endOfImage { break }
            if let segment = Self(marker: marker, segment: contents, in: bytes) { segments.append(segment) }
        }
        return (segments, walk.position)
    }
}
