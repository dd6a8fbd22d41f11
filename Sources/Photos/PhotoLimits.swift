/// The largest photo that is accepted; everything is checked before a decoder sees the bytes.
public struct PhotoLimits: Sendable, Equatable {
    /// Size of the file in bytes.
    public var bytes = 20 * 1024 * 1024
    /// Width times height.
    public var pixels = 50_000_000
    /// The longer side in pixels; greater values than the 65,500 that libjpeg handles have no effect.
    public var side = 65_500
    /// Scans of a progressive JPEG; ten are usual.
    public var scans = 100
    /// Scans times pixels, since each scan costs a pass over the whole image however short it is.
    public var scannedPixels = 1_000_000_000
    /// Memory in bytes for the decoder's coefficients and pixels of one photo.
    ///
    /// Enough for 50 million pixels in a progressive JPEG whose colours have half the resolution.
    public var memory = 192 * 1024 * 1024

    /// The defaults, which admit what phones and cameras make.
    public init() {}

    /// Checks the size of the image a header announces.
    ///
    /// - Throws: `PhotoError.broken` for an image without pixels, `PhotoError.tooLarge` beyond the limits.
    func check(width: Int, height: Int) throws(PhotoError) {
        guard width > 0, height > 0 else { throw .broken("it has no pixels") }
        let longer = max(width, height)
        let allowed = min(side, 65_500)
        guard longer <= allowed else { throw .tooLarge(.side, found: longer, allowed: allowed) }
        guard width * height <= pixels else { throw .tooLarge(.pixels, found: width * height, allowed: pixels) }
    }

    /// The scans that an image of the given size may have.
    func scans(width: Int, height: Int) -> Int { min(scans, max(scannedPixels / (width * height), 1)) }
}
