/// Shrinks (or enlarges) a part of an image to a given size: each pixel of the result is the average of the area it
/// covers, pixels that lie half inside counting half.
///
/// The source comes row by row, so that it need never be in memory as a whole. PHP's `imagecopyresampled` averages
/// in the same way, enlarging included.
struct AreaAverage {
    /// A part of the source, in pixels; the edges may lie within pixels.
    struct Region: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// A run of source pixels and how much each of them counts for one pixel of the result.
    private struct Weights {
        var first: Int
        var values: [Float]
    }

    private let width: Int
    private let height: Int
    private let channels: Int
    private let columns: [Weights]
    private let rows: [Weights]
    private var sums: [Float]
    private var reducedRow: [Float]
    private var nextRow = 0
    /// The first row of the result to which later source rows can still contribute.
    private var firstOpenRow = 0

    /// - Parameters:
    ///   - region: The part of the source that fills the result.
    ///   - sourceWidth: Pixels in each source row.
    ///   - sourceHeight: Source rows.
    init(
        of region: Region,
        sourceWidth: Int,
        sourceHeight: Int,
        channels: Int,
        width: Int,
        height: Int
    ) {
        self.width = width
        self.height = height
        self.channels = channels
        columns = Self.weights(start: region.x, length: region.width, pixels: sourceWidth, results: width)
        rows = Self.weights(start: region.y, length: region.height, pixels: sourceHeight, results: height)
        sums = Array(repeating: 0, count: width * height * channels)
        reducedRow = Array(repeating: 0, count: width * channels)
    }

    /// Takes the next source row; rows outside the region cost nothing.
    mutating func add(row: Span<UInt8>) {
        defer { nextRow += 1 }
        guard firstOpenRow < height, nextRow >= rows[firstOpenRow].first else { return }
        reduce(row)
        var result = firstOpenRow
        while result < height, rows[result].first <= nextRow {
            let index = nextRow - rows[result].first
            let weights = rows[result].values
            if index < weights.count {
                let weight = weights[index]
                let start = result * reducedRow.count
                for offset in reducedRow.indices { sums[start + offset] += weight * reducedRow[offset] }
            }
            if index >= weights.count - 1, result == firstOpenRow { firstOpenRow += 1 }
            result += 1
        }
    }

    /// The result, once every source row of the region was added.
    func result(layout: PixelImage.Layout) -> PixelImage {
        PixelImage(
            width: width,
            height: height,
            layout: layout,
            bytes: sums.map { UInt8(min(max($0 + 0.5, 0), 255)) }
        )
    }

    /// Averages the row across.
    private mutating func reduce(_ row: Span<UInt8>) {
        for column in 0..<width {
            let first = columns[column].first * channels
            for channel in 0..<channels {
                var sum: Float = 0
                var position = first + channel
                for weight in columns[column].values {
                    sum += weight * Float(row[position])
                    position += channels
                }
                reducedRow[column * channels + channel] = sum
            }
        }
    }

    /// How much each source pixel counts for each of `results` equal parts of the stretch from `start`.
    private static func weights(start: Double, length: Double, pixels: Int, results: Int) -> [Weights] {
        let step = length / Double(results)
        return (0..<results).map { result in
            let from = start + Double(result) * step
            let to = from + step
            let first = min(max(Int(from), 0), pixels - 1)
            let last = min(max(Int(to.rounded(.up)) - 1, first), pixels - 1)
            let overlaps = (first...last).map { pixel in
                max(min(to, Double(pixel + 1)) - max(from, Double(pixel)), 0)
            }
            let total = overlaps.reduce(0, +)
            // Rounding can leave a sliver that overlaps nothing: take the nearest pixel whole.
            guard total > 0 else { return Weights(first: first, values: [1]) }
            return Weights(first: first, values: overlaps.map { Float($0 / total) })
        }
    }
}
