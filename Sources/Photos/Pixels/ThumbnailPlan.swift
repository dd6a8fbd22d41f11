/// What part of a photo its thumbnail shows, and how far the decoder may shrink the photo beforehand.
struct ThumbnailPlan: Equatable {
    /// The scale at which the photo is decoded.
    var scale: DecodingScale
    /// The part of the decoded image that fills the thumbnail.
    var region: AreaAverage.Region

    /// Chooses the smallest of `scales` at which the region still has at least the thumbnail's pixels.
    ///
    /// The region is computed from the photo's exact size: the last pixel of a shrunk image may stand for a
    /// fraction of a pixel, and must count as such.
    init(width: Int, height: Int, options: ThumbnailOptions, scales: [DecodingScale]) {
        let shorter = min(width, height)
        scale = scales.first { $0.exact(shorter) >= Double(options.side) } ?? .full
        let exactWidth = scale.exact(width)
        let exactHeight = scale.exact(height)
        switch options.fit {
        case .stretch:
            region = AreaAverage.Region(x: 0, y: 0, width: exactWidth, height: exactHeight)
        case .crop:
            let side = min(exactWidth, exactHeight)
            region = AreaAverage.Region(
                x: (exactWidth - side) / 2,
                y: (exactHeight - side) / 2,
                width: side,
                height: side
            )
        }
    }
}
