/// The largest photo that is accepted; everything is checked before a decoder sees the bytes.
public struct PhotoLimits: Sendable, Equatable {
    /// Size of the file in bytes.
    public var bytes = 20 * 1024 * 1024
    /// Width times height.
    public var pixels = 50_000_000
    /// The longer side in pixels; no JPEG library handles more than 65,500.
    public var side = 65_500
    /// Scans of a progressive JPEG; ten are usual, and each costs a pass over all blocks however short it is.
    public var scans = 100
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
        guard longer <= side else { throw .tooLarge(.side, found: longer, allowed: side) }
        // Both are at most 65,500 here or whatever the caller allowed, so the product may be checked only now.
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, area <= pixels else { throw .tooLarge(.pixels, found: area, allowed: pixels) }
    }
}
