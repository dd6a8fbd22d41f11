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
}
