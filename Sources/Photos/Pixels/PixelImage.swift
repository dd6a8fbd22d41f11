/// Pixels of one, three or four bytes each, row after row without gaps.
struct PixelImage: Equatable {
    /// What the bytes of a pixel mean.
    enum Layout: Int {
        /// One byte: brightness.
        case gray = 1
        /// Three bytes: red, green, blue.
        case rgb = 3
        /// Four bytes: cyan, magenta, yellow, black, each as the ink's absence (255 is none), as Adobe stores them.
        case invertedCMYK = 4
    }

    let width: Int
    let height: Int
    let layout: Layout
    /// `width * height * layout.rawValue` bytes.
    var bytes: [UInt8]

    /// Bytes of one row.
    var stride: Int { width * layout.rawValue }

    /// Puts the pixels of a square image in the order in which they are upright.
    func upright(from orientation: Orientation) -> PixelImage {
        guard orientation != .upright else { return self }
        precondition(width == height, "only thumbnails are turned, and they are square")
        let size = layout.rawValue
        var turned: [UInt8] = []
        turned.reserveCapacity(bytes.count)
        for y in 0..<height {
            for x in 0..<width {
                let source = orientation.source(x: x, y: y, side: width)
                let start = (source.y * width + source.x) * size
                turned.append(contentsOf: bytes[start..<start + size])
            }
        }
        return PixelImage(width: width, height: height, layout: layout, bytes: turned)
    }
}
