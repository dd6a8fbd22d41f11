extension PixelImage {
    /// The image as a browser shows it: CMYK becomes RGB, gray and RGB stay.
    ///
    /// Browsers multiply each ink's absence with black's absence and use no colour profile.
    consuming func displayable() -> PixelImage {
        guard layout == .invertedCMYK else { return self }
        var rgb: [UInt8] = []
        rgb.reserveCapacity(width * height * 3)
        for start in Swift.stride(from: 0, to: bytes.count, by: 4) {
            let black = Int(bytes[start + 3])
            for ink in 0..<3 { rgb.append(UInt8((Int(bytes[start + ink]) * black + 127) / 255)) }
        }
        return PixelImage(width: width, height: height, layout: .rgb, bytes: rgb)
    }
}
