/// The brightness of each 8 by 8 block of a baseline JPEG: enough to see what a thumbnail shows.
///
/// Reads only the first component's constant terms (ITU-T T.81, annex F); the other coefficients are decoded because
/// there is no other way past them.
struct JPEGBrightness {
    private var width = 0
    private var height = 0
    private var columns = 0
    /// 0 to 255, row by row.
    private var blocks: [Int] = []

    /// Reads a whole JPEG; `nil` if it is damaged or of a kind other than baseline with one scan.
    init?(_ bytes: [UInt8]) {
        guard let file = JPEGScan(bytes), let first = file.components.first else { return nil }
        width = file.width
        height = file.height
        let mcuColumns = (width + 8 * file.maxHorizontal - 1) / (8 * file.maxHorizontal)
        let mcuRows = (height + 8 * file.maxVertical - 1) / (8 * file.maxVertical)
        columns = mcuColumns * first.horizontal
        blocks = Array(repeating: 0, count: columns * mcuRows * first.vertical)
        var reader = JPEGBitReader(bytes, from: file.start)
        var previous = Array(repeating: 0, count: file.components.count)
        for mcu in 0..<mcuColumns * mcuRows {
            if file.restartInterval > 0, mcu > 0, mcu % file.restartInterval == 0 {
                guard reader.skipRestartMarker() else { return nil }
                previous = previous.map { _ in 0 }
            }
            for (index, component) in file.components.enumerated() {
                for block in 0..<component.horizontal * component.vertical {
                    guard let difference = reader.block(constant: component.constant, other: component.other)
                    else { return nil }
                    previous[index] += difference
                    guard index == 0 else { continue }
                    let column = mcu % mcuColumns * component.horizontal + block % component.horizontal
                    let row = mcu / mcuColumns * component.vertical + block / component.horizontal
                    let value = previous[0] * component.quantizer / 8 + 128
                    blocks[row * columns + column] = min(max(value, 0), 255)
                }
            }
        }
    }

    /// The brightness, 0 to 255, of the block at a point given in per cent of the sides.
    func brightness(xPercent: Int, yPercent: Int) -> Int {
        let x = min(width * xPercent / 100, width - 1) / 8
        let y = min(height * yPercent / 100, height - 1) / 8
        return blocks[y * columns + x]
    }
}
