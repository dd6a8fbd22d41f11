@testable import Photos

/// A thumbnail made by the module, and what ImageMagick makes of the same photo.
struct ThumbnailCase {
    /// The thumbnail of a JPEG, decoded.
    static func thumbnail(of jpeg: [UInt8], options: ThumbnailOptions) throws -> Pixels {
        let thumbnail = try options.thumbnail(
            of: jpeg,
            structure: JPEGStructure(jpeg.span),
            limits: PhotoLimits(),
            budget: MemoryBudget(capacity: 1 << 30)
        )
        return try Pixels(decoding: thumbnail)
    }

    /// How far the thumbnail of a JPEG is from the one that ImageMagick makes of it: the mean difference, of 255.
    static func error(of jpeg: [UInt8], options: ThumbnailOptions) throws -> Double {
        let structure = try JPEGStructure(jpeg.span)
        let crop = min(structure.frame.width, structure.frame.height)
        let cut = options.fit == .crop ? ["-gravity", "center", "-crop", "\(crop)x\(crop)+0+0", "+repage"] : []
        let size = "\(options.side)x\(options.side)!"
        let operations = ["-auto-orient", "+repage"] + cut + ["-scale", size]
        let reference = try Pixels(decoding: jpeg, operations: operations)
        return try thumbnail(of: jpeg, options: options).meanError(to: reference)
    }
}
