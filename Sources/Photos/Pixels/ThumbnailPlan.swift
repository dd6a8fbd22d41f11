/// What part of a photo its thumbnail shows, and how the photo is best decoded for it.
struct ThumbnailPlan: Equatable {
    /// The scale at which the photo is decoded.
    var scale = DecodingScale.full
    /// Whether the averages of the blocks, which are the first part of a progressive JPEG, are all that is needed.
    var averagesSuffice = false
    /// The part of the decoded image that fills the thumbnail.
    var region: AreaAverage.Region

    /// Plans the thumbnail of an image that is decoded in full.
    init(width: Int, height: Int, options: ThumbnailOptions) {
        self.init(width: Double(width), height: Double(height), options: options)
    }

    /// Plans the thumbnail of a JPEG.
    ///
    /// The scale is the smallest at which brightness and colours still have at least the thumbnail's pixels.
    init(of frame: JPEGFrame, options: ThumbnailOptions) {
        let shorter = Double(min(frame.width, frame.height))
        let side = Double(options.side)
        let scale = DecodingScale.allCases.first { shorter * frame.resolution(at: $0) >= side } ?? .full
        // From the exact size: the last pixel of a shrunk image may stand for a fraction, and must count as such.
        self.init(width: scale.exact(frame.width), height: scale.exact(frame.height), options: options)
        self.scale = scale
        averagesSuffice = scale == .eighth && shorter * frame.resolutionOfAverages >= side
    }

    private init(width: Double, height: Double, options: ThumbnailOptions) {
        switch options.fit {
        case .stretch:
            region = AreaAverage.Region(x: 0, y: 0, width: width, height: height)
        case .crop:
            let side = min(width, height)
            region = AreaAverage.Region(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
        }
    }
}
