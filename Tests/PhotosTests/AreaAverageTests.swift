import Testing

@testable import Photos

@Suite struct AreaAverageTests {
    private func average(
        _ rows: [[UInt8]],
        _ region: AreaAverage.Region,
        channels: Int = 1,
        width: Int,
        height: Int
    ) -> [UInt8] {
        var average = AreaAverage(
            of: region,
            sourceWidth: rows[0].count / channels,
            sourceHeight: rows.count,
            channels: channels,
            width: width,
            height: height
        )
        for row in rows { average.add(row: row.span) }
        return average.result(layout: channels == 1 ? .gray : .rgb).bytes
    }

    @Test func averagesWholePixels() {
        let rows: [[UInt8]] = [[0, 10, 100, 100], [20, 30, 100, 100]]
        let region = AreaAverage.Region(x: 0, y: 0, width: 4, height: 2)
        #expect(average(rows, region, width: 2, height: 1) == [15, 100])
        #expect(average(rows, region, width: 1, height: 1) == [58])
    }

    @Test func halvesAreRoundedUp() {
        let region = AreaAverage.Region(x: 0, y: 0, width: 8, height: 1)
        let row: [UInt8] = [0, 1, 1, 2, 2, 3, 254, 255]
        #expect(average([row], region, width: 4, height: 1) == [1, 2, 3, 255])
    }

    @Test func pixelsThatLieHalfInsideCountHalf() {
        let region = AreaAverage.Region(x: 0.5, y: 0, width: 2, height: 1)
        // Half of 100, all of 0, half of 200: 150 over 2.
        #expect(average([[100, 0, 200]], region, width: 1, height: 1) == [75])
        let down = AreaAverage.Region(x: 0, y: 0.5, width: 1, height: 2)
        #expect(average([[100], [0], [200]], down, width: 1, height: 1) == [75])
    }

    @Test func enlargingRepeatsAndBlends() {
        let region = AreaAverage.Region(x: 0, y: 0, width: 2, height: 1)
        #expect(average([[0, 200]], region, width: 4, height: 2) == [0, 0, 200, 200, 0, 0, 200, 200])
        #expect(average([[0, 200]], region, width: 3, height: 1) == [0, 100, 200])
    }

    @Test func channelsStayApart() {
        let region = AreaAverage.Region(x: 0, y: 0, width: 2, height: 1)
        #expect(average([[10, 20, 30, 30, 40, 50]], region, channels: 3, width: 1, height: 1) == [20, 30, 40])
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 89, 90, 91, 500, 1001], [1, 2, 90, 97])
    func aUniformImageStaysUniform(source: Int, target: Int) {
        let rows = Array(repeating: Array(repeating: UInt8(201), count: source), count: source)
        let region = AreaAverage.Region(x: 0, y: 0, width: Double(source) - 0.125, height: Double(source) - 0.875)
        let result = average(rows, region, width: target, height: target)
        #expect(result == Array(repeating: 201, count: target * target))
    }

    /// The definition itself: the integral over the area, divided by the area.
    private func exactAverages(_ rows: [[UInt8]], _ region: AreaAverage.Region, channels: Int, side: Int) -> [Double] {
        func overlaps(_ start: Double, _ length: Double, _ result: Int, _ count: Int) -> [Double] {
            let from = start + length * Double(result) / Double(side)
            let to = start + length * Double(result + 1) / Double(side)
            return (0..<count).map { max(min(to, Double($0 + 1)) - max(from, Double($0)), 0) / (to - from) }
        }
        return (0..<side * side * channels).map { index in
            let (y, x, channel) = (index / channels / side, index / channels % side, index % channels)
            let across = overlaps(region.x, region.width, x, rows[0].count / channels)
            return zip(rows, overlaps(region.y, region.height, y, rows.count)).reduce(0) { sum, row in
                sum + row.1 * across.indices.reduce(0) { $0 + across[$1] * Double(row.0[$1 * channels + channel]) }
            }
        }
    }

    @Test(arguments: [1, 3], [(16, 16.0), (16, 13.75), (7, 7), (40, 39.5), (5, 2.5)])
    func everyPixelIsTheNearestToTheExactAverage(channels: Int, source: (pixels: Int, length: Double)) {
        let rows = (0..<source.pixels).map { y in
            // The greatest value among them, which rounding must not carry beyond a byte.
            (0..<source.pixels * channels).map { x in
                x % 3 == 0 ? 255 : UInt8(truncatingIfNeeded: y * 37 + x * x * 11)
            }
        }
        let start = (Double(source.pixels) - source.length) / 2
        let region = AreaAverage.Region(x: start, y: start, width: source.length, height: source.length)
        for side in [1, 5, 9] {
            let result = average(rows, region, channels: channels, width: side, height: side)
            let exact = exactAverages(rows, region, channels: channels, side: side)
            #expect(result.count == exact.count)
            #expect(zip(result, exact).allSatisfy { abs(Double($0) - $1) < 0.501 }, "side \(side)")
        }
    }
}
