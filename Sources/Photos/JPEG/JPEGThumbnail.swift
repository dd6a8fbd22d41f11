extension ThumbnailOptions {
    /// Makes the thumbnail of a JPEG whose structure was checked.
    ///
    /// - Returns: A baseline JPEG, upright, without metadata.
    /// - Throws: `PhotoError.broken` if the decoder refuses.
    func thumbnail(of bytes: [UInt8], structure: JPEGStructure) throws(PhotoError) -> [UInt8] {
        let plan = ThumbnailPlan(
            width: structure.frame.width,
            height: structure.frame.height,
            options: self,
            scales: DecodingScale.all
        )
        let decoder = try JPEGDecoder()
        let decoded = try decoder.decode(bytes, structure: structure, scale: plan.scale).displayable()
        var average = AreaAverage(
            of: plan.region,
            sourceWidth: decoded.width,
            sourceHeight: decoded.height,
            channels: decoded.layout.rawValue,
            width: side,
            height: side
        )
        for row in 0..<decoded.height {
            average.add(row: decoded.bytes.span.extracting(row * decoded.stride..<(row + 1) * decoded.stride))
        }
        let pixels = average.result(layout: decoded.layout).upright(from: structure.orientation)
        return try JPEGEncoder().encode(pixels, quality: quality)
    }
}
