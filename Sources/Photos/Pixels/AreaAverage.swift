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
        struct Run {
            /// The first source pixel.
            var first: Int
            /// Where the weights of this and the following source pixels stand in `values`.
            var weights: Range<Int>
        }

        private(set) var runs: [Run] = []
        /// The weights of all runs, one after the other.
        private(set) var values: [Float] = []
        /// The source pixels that count at all.
        let pixels: Range<Int>

        /// Of `count` source pixels, the weights for each of `results` equal parts of the stretch from `start`.
        init(start: Double, length: Double, count: Int, results: Int) {
            precondition(count > 0 && results > 0, "an image without pixels")
            let step = length / Double(results)
            values.reserveCapacity(results * (Int(step) + 2))
            runs.reserveCapacity(results)
            var end = 0
            for result in 0..<results {
                let from = start + Double(result) * step
                let to = from + step
                let first = min(max(Int(from), 0), count - 1)
                end = max(first, min(Int(to.rounded(.up)), count) - 1) + 1
                func overlap(_ pixel: Int) -> Double { max(min(to, Double(pixel + 1)) - max(from, Double(pixel)), 0) }
                var total = 0.0
                for pixel in first..<end { total += overlap(pixel) }
                // Rounding can leave a sliver that overlaps nothing: take the nearest pixel whole.
                if total == 0 { end = first + 1 }
                let start = values.count
                for pixel in first..<end { values.append(total == 0 ? 1 : Float(overlap(pixel) / total)) }
                runs.append(Run(first: first, weights: start..<values.count))
            }
            pixels = (runs.first?.first ?? 0)..<end
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
    /// The row of the result in progress, before rounding.
    private var averages: [Float]
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
        columns = Weights(start: region.x, length: region.width, count: sourceWidth, results: width)
        rows = Weights(start: region.y, length: region.height, count: sourceHeight, results: height)
        sums = Array(repeating: 0, count: columns.pixels.count * channels + Self.padding)
        averages = Array(repeating: 0, count: width * channels + Self.padding)
        result = Array(repeating: 0, count: width * height * channels)
    }

    /// Takes the next source row; rows outside the region cost nothing.
    mutating func add(row: Span<UInt8>) {
        defer { nextRow += 1 }
        let pixels = columns.pixels
        while openRow < height {
            let run = rows.runs[openRow]
            guard run.first <= nextRow else { return }
            let index = run.weights.lowerBound + nextRow - run.first
            let weighted = row.extracting(pixels.lowerBound * channels..<pixels.upperBound * channels)
            Self.add(weighted, times: rows.values[index], to: &sums)
            guard index == run.weights.upperBound - 1 else { return }
            Self.average(sums, channels: channels, columns, to: &averages)
            Self.round(averages, to: &result, at: openRow * width * channels)
            for index in sums.indices { sums[index] = 0 }
            openRow += 1
        }
    }

    /// The result, once every source row of the region was added.
    func result(layout: PixelImage.Layout) -> PixelImage {
        PixelImage(width: width, height: height, layout: layout, bytes: result)
    }

    /// Numbers behind the last pixel of a row, so that four can be read and written from its first channel on.
    private static let padding = 3

    private static func add(_ row: Span<UInt8>, times weight: Float, to sums: inout [Float]) {
        var sums = sums.mutableSpan
        precondition(row.count + padding == sums.count)
        for index in 0..<row.count {
            sums[index] += weight * Float(row[index])
        }
    }

    /// Averages a row of sums across.
    ///
    /// All channels of a pixel at once: with fewer than four, what follows the pixel is averaged along, and the next
    /// pixel's averages overwrite it.
    private static func average(_ sums: [Float], channels: Int, _ columns: Weights, to averages: inout [Float]) {
        // Loads and stores are bounds-checked; they are called unsafe only because some types have invalid bit patterns.
        let sums = sums.span
        let sumBytes = unsafe sums.bytes
        let runs = columns.runs.span
        let weights = columns.values.span
        let origin = columns.pixels.lowerBound
        let pixelSize = channels * MemoryLayout<Float>.size
        var averages = averages.mutableSpan
        var averageBytes = unsafe averages.mutableBytes
        var output = 0
        // Runs are short, often of two pixels, and their weights stand in the order in which they are needed.
        var index = 0
        for column in runs.indices {
            let run = runs[column]
            var sum = SIMD4<Float>.zero
            var input = (run.first - origin) * pixelSize
            while index < run.weights.upperBound {
                let pixel = unsafe sumBytes.unsafeLoadUnaligned(fromByteOffset: input, as: SIMD4<Float>.self)
                sum += weights[index] * pixel
                input &+= pixelSize
                index &+= 1
            }
            averageBytes.storeBytes(of: sum, toByteOffset: output, as: SIMD4<Float>.self)
            output &+= pixelSize
        }
    }

    /// Rounds a row of averages to bytes, from `offset` on.
    private static func round(_ averages: [Float], to result: inout [UInt8], at offset: Int) {
        let averages = averages.span
        var result = result.mutableSpan
        let count = averages.count - padding
        precondition(count >= 0 && offset >= 0 && offset + count <= result.count)
        for index in 0..<count {
            // From 2^23 on, numbers have no fraction, so that the sum is rounded and its lowest bits are the integer.
            // Several at once are converted like this, while `UInt8(_:)` checks each for being in range. All are: the
            // weights of a pixel add up to 1, or so nearly that it rounds to 255 what is more. The small number turns
            // halves up, which are frequent between whole pixels; they would go to the even neighbour.
            result[offset + index] = UInt8(truncatingIfNeeded: (averages[index] + 0x1p-10 + 0x1p23).bitPattern)
        }
    }
}
