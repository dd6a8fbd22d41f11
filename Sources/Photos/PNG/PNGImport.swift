/// Turns a PNG into the JPEG that is stored in its place, and into a thumbnail, in one pass over its rows.
struct PNGImport {
    /// Quality of the stored JPEG, higher than a thumbnail's since it is all that is left of the photo.
    static let quality = 90

    /// Makes both images.
    ///
    /// - Parameters:
    ///   - write: Receives the stored JPEG in parts.
    /// - Returns: The thumbnail's JPEG.
    /// - Throws: `PhotoError.broken` or `PhotoError.tooLarge`, or what `write` throws.
    static func convert(
        _ bytes: [UInt8],
        limits: PhotoLimits,
        budget: MemoryBudget,
        thumbnail options: ThumbnailOptions,
        write: ([UInt8]) throws(PhotoError) -> Void
    ) throws(PhotoError) -> [UInt8] {
        var decoder = try PNGDecoder(bytes, limits: limits)
        let layout: PixelImage.Layout = decoder.channels < 3 ? .gray : .rgb
        let orientation = decoder.exif.map { Orientation(exif: 0..<$0.count, in: $0.span) } ?? .upright
        let profile = decoder.profile.flatMap { ICCProfile($0, for: layout) }
        let metadata = orientation.exifSegment + (profile?.segments ?? [])
        let plan = ThumbnailPlan(width: decoder.width, height: decoder.height, options: options)
        var average = AreaAverage(
            of: plan.region,
            sourceWidth: decoder.width,
            sourceHeight: decoder.height,
            channels: layout.rawValue,
            width: options.side,
            height: options.side
        )
        var encoder = try StripEncoder(
            width: decoder.width,
            height: decoder.height,
            layout: layout,
            quality: quality
        )
        var opaque = [UInt8](repeating: 0, count: decoder.width * layout.rawValue)
        let channels = decoder.channels
        let memory = decoder.isInterlaced ? decoder.stride * decoder.height : 0
        guard memory <= limits.memory else { throw .tooLarge(.memory, found: memory, allowed: limits.memory) }
        try budget.hold(memory) { () throws(PhotoError) in
            try decoder.readRows { row throws(PhotoError) in
                copy(row, channels: channels, overWhiteTo: &opaque)
                average.add(row: opaque.span)
                try encoder.add(row: opaque, metadata: metadata, write: write)
            }
        }
        let pixels = average.result(layout: layout).upright(from: orientation)
        let jpeg = try JPEGEncoder().encode(pixels, quality: options.quality)
        return profile?.embedded(in: jpeg) ?? jpeg
    }

    /// Copies a row, and lays it over white if it has an opacity channel.
    ///
    /// Like browsers, this mixes the values as they are stored.
    private static func copy(_ row: Span<UInt8>, channels: Int, overWhiteTo target: inout [UInt8]) {
        if channels == 1 || channels == 3 {
            for position in target.indices { target[position] = row[position] }
            return
        }
        let colours = channels - 1
        var position = 0
        for pixel in stride(from: 0, to: row.count, by: channels) {
            let opacity = Int(row[pixel + colours])
            for colour in 0..<colours {
                let mixed = Int(row[pixel + colour]) * opacity + 255 * (255 - opacity)
                target[position] = UInt8((mixed + 127) / 255)
                position += 1
            }
        }
    }
}
