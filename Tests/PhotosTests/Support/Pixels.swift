import Testing

/// Decoded pixels, three bytes each.
struct Pixels {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Decodes an image by ImageMagick.
    ///
    /// - Parameters:
    ///   - operations: What ImageMagick does with the image before, in the order of its command line.
    init(decoding image: [UInt8], as format: String = "jpeg", operations: [String] = []) throws {
        let arguments =
            ["\(format):-"] + operations + ["-colorspace", "sRGB", "-depth", "8", "-type", "TrueColor", "ppm:-"]
        let ppm = try Tool.run("convert", arguments, input: image)
        // P6, width and height, greatest value, each on a line.
        let fields = ppm.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        let size = String(decoding: try #require(fields.dropFirst().first), as: UTF8.self).split(separator: " ")
        width = try #require(size.first.flatMap { Int($0) })
        height = try #require(size.last.flatMap { Int($0) })
        bytes = Array(ppm.suffix(width * height * 3))
    }

    /// The mean difference of the channels' values, from 0 to 255.
    func meanError(to other: Pixels) -> Double {
        guard width == other.width, height == other.height, bytes.count == other.bytes.count else { return .infinity }
        let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes.count)
    }
}
