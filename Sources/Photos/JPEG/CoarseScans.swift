extension JPEGStructure {
    /// Scans of averages that are kept: two are usual, a rough one and its refinement, or two for each component.
    private static let greatestCount = 8

    /// A shortened copy of a progressive JPEG which holds only its coarsest scans: the averages of the 8 by 8 blocks.
    ///
    /// They are what decoding at an eighth of the size shows, and the many scans with the details, which take most of
    /// the time, are left out. Colours of half the resolution come out at half the resolution.
    ///
    /// - Returns: The copy, or nil for a JPEG that is not progressive.
    func coarseScans(of bytes: [UInt8]) -> [UInt8]? {
        guard frame.process == .progressive else { return nil }
        let file = bytes.span
        var coarse: [UInt8] = [0xFF, JPEGMarker.startOfImage.code]
        var walk = JPEGWalk(start: 2)
        var scans = 0
        while let found = try? walk.next(in: file) {
            let (marker, contents) = found
            if marker == .endOfImage { break }
            var end = contents.upperBound
            if marker == .startOfScan {
                walk.skipEntropyCodedData(in: file)
                // The spectral selection starts behind the component selectors (T.81, B.2.3). Its first value is 0 in
                // scans of the averages and only there.
                let selectors = file.byte(at: contents.lowerBound).map { 2 * Int($0) } ?? 0
                guard file.byte(at: contents.lowerBound + 1 + selectors) == 0, scans < Self.greatestCount else {
                    continue
                }
                scans += 1
                end = walk.position
            } else if marker.isMetadata {
                // Except JFIF and Adobe segments, which tell what the colours mean.
                guard marker == .app0 || marker == .app14 else { continue }
            }
            coarse += bytes[contents.lowerBound - 4..<end]
        }
        return coarse + [0xFF, JPEGMarker.endOfImage.code]
    }
}
