/// Encodes a large image strip by strip, so that it need never be in memory as a whole.
///
/// Every strip is encoded as a JPEG of its own. Their headers are equal but for the height; their entropy-coded data
/// are joined by restart markers, which is what these are for (T.81, E.1.4): the decoder starts afresh at each.
struct StripEncoder: ~Copyable {
    private let width: Int
    private let height: Int
    private let layout: PixelImage.Layout
    private let quality: Int
    /// Rows in every strip but the last, a multiple of the 8 rows of a block.
    private let rowsPerStrip: Int
    private let encoder: JPEGEncoder
    private var strip: [UInt8] = []
    private var strips = 0

    /// - Parameters:
    ///   - layout: Gray or RGB.
    ///   - quality: 1 to 100.
    init(width: Int, height: Int, layout: PixelImage.Layout, quality: Int) throws(PhotoError) {
        self.width = width
        self.height = height
        self.layout = layout
        self.quality = quality
        let blocksAcross = (width + 7) / 8
        // About a megabyte, within the 65,535 blocks that the restart interval can express.
        let rowsOfBlocks = min((1 << 20) / (blocksAcross * 64 * layout.rawValue), 65_535 / blocksAcross)
        rowsPerStrip = 8 * max(rowsOfBlocks, 1)
        encoder = try JPEGEncoder()
        strip.reserveCapacity(rowsPerStrip * width * layout.rawValue)
    }

    /// Takes the next row.
    ///
    /// - Parameters:
    ///   - metadata: Segments to be put in front of the first strip.
    ///   - write: Receives parts of the file in their order.
    mutating func add(
        row: [UInt8],
        metadata: [UInt8],
        write: ([UInt8]) throws(PhotoError) -> Void
    ) throws(PhotoError) {
        strip += row
        let rows = strip.count / (width * layout.rawValue)
        let isLast = strips * rowsPerStrip + rows == height
        guard rows == rowsPerStrip || isLast else { return }
        let image = PixelImage(width: width, height: rows, layout: layout, bytes: strip)
        strip.removeAll(keepingCapacity: true)
        let jpeg = try encoder.encode(image, quality: quality)
        let structure = try JPEGStructure(jpeg.span)
        // Without its end marker.
        let data = jpeg[structure.scanStart..<jpeg.count - 2]
        if strips == 0 {
            try write(try header(from: jpeg, structure: structure, metadata: metadata))
        } else {
            try write([0xFF, 0xD0 + UInt8((strips - 1) % 8)])
        }
        try write(Array(data))
        if isLast { try write([0xFF, JPEGMarker.endOfImage.code]) }
        strips += 1
    }

    /// The header of the first strip, made into that of the whole image.
    private func header(
        from jpeg: [UInt8],
        structure: JPEGStructure,
        metadata: [UInt8]
    ) throws(PhotoError) -> [UInt8] {
        var header: [UInt8] = [0xFF, JPEGMarker.startOfImage.code]
        var walk = JPEGWalk(start: 2)
        while let (marker, contents) = try walk.next(in: jpeg.span) {
            var segment = Array(jpeg[contents.lowerBound - 4..<contents.upperBound])
            if marker.isFrame {
                segment[5] = UInt8(height >> 8)
                segment[6] = UInt8(height & 0xFF)
            }
            if marker == .startOfScan {
                let interval = (width + 7) / 8 * (rowsPerStrip / 8)
                header += [0xFF, JPEGMarker.restartInterval.code, 0, 4, UInt8(interval >> 8), UInt8(interval & 0xFF)]
            }
            header += segment
            if marker == .app0 { header += metadata }
            if marker == .startOfScan { break }
        }
        return header
    }
}
