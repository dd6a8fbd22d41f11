/// How the square thumbnail beside each photo is made.
public struct ThumbnailOptions: Sendable, Equatable {
    /// What becomes of a photo that is not square.
    public enum Fit: String, Sendable, CaseIterable {
        /// The middle of the photo fills the square; the longer side is cut.
        case crop
        /// The whole photo is squeezed into the square, as the tutorial's original did.
        case stretch
    }

    /// The sides the setting may have, in pixels.
    public static let sides = 1...2048

    /// Width and height in pixels.
    public var side: Int
    /// What becomes of a photo that is not square.
    public var fit: Fit
    /// JPEG quality from 1 to 100, on the scale of the Independent JPEG Group.
    public var quality: Int

    /// Creates options; the defaults are the tutorial's side and quality, and its squeezing replaced by a crop.
    public init(side: Int = 90, fit: Fit = .crop, quality: Int = 85) {
        precondition(Self.sides.contains(side), "the side of a thumbnail is 1 to 2048 pixels")
        precondition((1...100).contains(quality), "JPEG quality is 1 to 100")
        self.side = side
        self.fit = fit
        self.quality = quality
    }
}
