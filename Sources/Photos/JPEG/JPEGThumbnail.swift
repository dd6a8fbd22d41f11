extension ThumbnailOptions {
    /// Makes the thumbnail of a JPEG whose structure was checked.
    ///
    /// - Returns: A baseline JPEG, upright, without metadata but for the colour profile.
    /// - Throws: `PhotoError.tooLarge` if decoding would take too much memory, `PhotoError.broken` if the decoder
    ///   refuses.
    func thumbnail(
        of bytes: [UInt8],
        structure: JPEGStructure,
        limits: PhotoLimits,
        budget: MemoryBudget
    ) throws(PhotoError) -> [UInt8] {
        let frame = structure.frame
        let plan = ThumbnailPlan(of: frame, options: self)
        // Four inks are turned into three colours, and both are held meanwhile.
        let bytesPerPixel = frame.components.count == 4 ? 4 + 3 : frame.components.count
        let memory =
            plan.scale.scaled(frame.width) * plan.scale.scaled(frame.height) * bytesPerPixel
            + (structure.needsAllCoefficients ? frame.blocks * 64 * MemoryLayout<Int16>.size : 0)
        guard memory <= limits.memory else {
            throw .tooLarge(.memory, found: memory, allowed: limits.memory)
        }
        return try budget.hold(memory) { () throws(PhotoError) in
            try thumbnail(of: bytes, structure: structure, plan: plan)
        }
    }

    /// Decodes, shrinks, turns and encodes.
    private func thumbnail(
        of bytes: [UInt8],
        structure: JPEGStructure,
        plan: ThumbnailPlan
    ) throws(PhotoError) -> [UInt8] {
        // Without its details, a progressive photo decodes several times as fast.
        let coarse = plan.averagesSuffice ? structure.coarseScans(of: bytes) : nil
        let stored = try JPEGDecoder().decode(coarse ?? bytes, structure: structure, scale: plan.scale).image
        let layout = stored.layout
        let decoded = stored.displayable()
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
        let jpeg = try JPEGEncoder().encode(pixels, quality: quality)
        return ICCProfile(of: structure, in: bytes.span, for: layout)?.embedded(in: jpeg) ?? jpeg
    }
}
