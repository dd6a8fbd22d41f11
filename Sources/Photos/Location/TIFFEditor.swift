/// A copy of a TIFF structure that can be changed without anything moving but the entries of one directory.
struct TIFFEditor {
    let reader: TIFFReader
    /// The structure's bytes.
    private(set) var bytes: [UInt8]

    /// Creates an editor for the structure that `reader` reads.
    ///
    /// - Parameter bytes: The bytes of `reader.range`.
    init(reader: TIFFReader, bytes: [UInt8]) {
        self.reader = reader
        self.bytes = bytes
    }

    /// Overwrites parts of the structure with zeros, except where they overlap one of `others`.
    mutating func clear(_ parts: [Range<Int>], except others: [Range<Int>]) {
        let cleared = RangeSet(inOrder: parts).subtracting(RangeSet(inOrder: others))
        for range in cleared.ranges {
            for position in range { bytes[position - reader.range.lowerBound] = 0 }
        }
    }

    /// Removes an entry from its directory.
    ///
    /// The entries behind it and the offset of the next directory move up, and the room of one entry is left unused.
    mutating func removeEntry(at entry: Int, ofDirectoryAt directory: Int) {
        let start = directory - reader.range.lowerBound
        guard let count = bytes.span.number16(at: start, littleEndian: reader.littleEndian), count > 0 else { return }
        let first = entry - reader.range.lowerBound
        let end = min(start + 2 + 12 * count + 4, bytes.count)
        // In a made-up file directories overlap, and removing an entry of one changes the count of another.
        guard first < end else { return }
        let (low, high) = (UInt8((count - 1) & 0xFF), UInt8((count - 1) >> 8))
        bytes[start] = reader.littleEndian ? low : high
        bytes[start + 1] = reader.littleEndian ? high : low
        for position in first..<end {
            bytes[position] = position + 12 < end ? bytes[position + 12] : 0
        }
    }
}

extension RangeSet<Int> {
    /// Builds the set in the order of the ranges, which takes the least work however many there are.
    fileprivate init(inOrder ranges: [Range<Int>]) {
        self.init(ranges.sorted { $0.lowerBound < $1.lowerBound })
    }
}
