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

    /// For each pixel of the result along one side: a run of source pixels, and how much each of them counts.
    private struct Weights {
        /// The runs, one after the other.
        var values: [Float] = []
        /// Where each run begins in `values`, and where the last one ends.
        var starts = [0]
        /// The first source pixel of each run.
        var firsts: [Int] = []

        /// The source pixels that count at all.
        var pixels: Range<Int> {
            (firsts.first ?? 0)..<((firsts.last ?? 0) + values.count - starts[max(firsts.count - 1, 0)])
        }

        mutating func append(first: Int, _ run: [Float]) {
            firsts.append(first)
            values += run
            starts.append(values.count)
        }
    }

    private let width: Int
    private let height: Int
    private let channels: Int
    private let columns: Weights
    private let rows: Weights
    /// The source rows that belong to the row of the result in progress, added up.
    ///
    /// Adding whole rows and averaging across once per row of the result is what the processor's vector instructions
    /// are good at. No two rows of the result are in progress between two source rows.
    private var sums: [Float]
    private var result: [UInt8]
    private var nextRow = 0
    /// The row of the result in progress.
    private var openRow = 0

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
        sums = Array(repeating: 0, count: columns.pixels.count * channels + Self.padding)
        result = Array(repeating: 0, count: width * height * channels)
    }

    /// Takes the next source row; rows outside the region cost nothing.
    mutating func add(row: Span<UInt8>) {
        defer { nextRow += 1 }
        let pixels = columns.pixels
        while openRow < height, rows.firsts[openRow] <= nextRow {
            let index = rows.starts[openRow] + nextRow - rows.firsts[openRow]
            let weighted = row.extracting(pixels.lowerBound * channels..<pixels.upperBound * channels)
            Self.add(weighted, times: rows.values[index], to: &sums)
            guard index == rows.starts[openRow + 1] - 1 else { return }
            Self.average(sums, channels: channels, columns, to: &result, at: openRow * width * channels)
            for index in sums.indices { sums[index] = 0 }
            openRow += 1
        }
    }

    /// The result, once every source row of the region was added.
    func result(layout: PixelImage.Layout) -> PixelImage {
        PixelImage(width: width, height: height, layout: layout, bytes: result)
    }

    /// Numbers behind the last sum, so that four can be read from the last pixel on.
    private static let padding = 3

    private static func add(_ row: Span<UInt8>, times weight: Float, to sums: inout [Float]) {
        var sums = sums.mutableSpan
        precondition(row.count + padding == sums.count)
        for index in 0..<row.count {
            sums[index] += weight * Float(row[index])
        }
    }

    /// Averages a row of sums across and writes the result from `offset` on.
    ///
    /// All channels of a pixel at once: with fewer than four, what follows the pixel is averaged along and left out.
    private static func average(
        _ sums: [Float],
        channels: Int,
        _ columns: Weights,
        to result: inout [UInt8],
        at offset: Int
    ) {
        let sums = sums.span
        let firsts = columns.firsts.span
        let starts = columns.starts.span
        let values = columns.values.span
        let origin = columns.pixels.lowerBound
        var result = result.mutableSpan
        var output = offset
        for column in 0..<firsts.count {
            // What the conversion cuts off would have been rounded down.
            var sum = SIMD4<Float>(repeating: 0.5)
            var position = (firsts[column] - origin) * channels
            for index in starts[column]..<starts[column + 1] {
                let pixel = sums.extracting(position..<position + 4)
                sum += values[index] * SIMD4(pixel[0], pixel[1], pixel[2], pixel[3])
                position += channels
            }
            for channel in 0..<channels {
                result[output] = UInt8(min(sum[channel], 255))
                output += 1
            }
        }
    }

    /// How much each source pixel counts for each of `results` equal parts of the stretch from `start`.
    private static func weights(start: Double, length: Double, pixels: Int, results: Int) -> Weights {
        let step = length / Double(results)
        var weights = Weights()
        for result in 0..<results {
            let from = start + Double(result) * step
            let to = from + step
            let first = min(max(Int(from), 0), pixels - 1)
            let last = min(max(Int(to.rounded(.up)) - 1, first), pixels - 1)
            let overlaps = (first...last).map { pixel in
                max(min(to, Double(pixel + 1)) - max(from, Double(pixel)), 0)
            }
            let total = overlaps.reduce(0, +)
            // Rounding can leave a sliver that overlaps nothing: take the nearest pixel whole.
            weights.append(first: first, total > 0 ? overlaps.map { Float($0 / total) } : [1])
        }
        return weights
    }
}
