/// The headers of a baseline JPEG up to its only scan.
struct JPEGScan {
    /// A component of the picture in the order of the scan.
    struct Component {
        var horizontal: Int
        var vertical: Int
        /// The quantizer of the constant term.
        var quantizer: Int
        var constant: HuffmanTable
        var other: HuffmanTable
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var components: [Component] = []
    private(set) var restartInterval = 0
    /// Where the scan's data begin.
    private(set) var start = 0

    var maxHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
    var maxVertical: Int { components.map(\.vertical).max() ?? 1 }

    private struct FrameComponent {
        var id: UInt8
        var horizontal: Int
        var vertical: Int
        var quantizer: Int
    }

    /// Reads the headers; `nil` if they are damaged or of another kind.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
        var quantizers: [Int: Int] = [:]
        var tables: [UInt8: HuffmanTable] = [:]
        var frame: [FrameComponent] = []
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xff {
            let marker = bytes[index + 1]
            let length = bigEndian(bytes, at: index + 2)
            guard length >= 2, index + 2 + length <= bytes.count else { return nil }
            let segment = Array(bytes[index + 4..<index + 2 + length])
            index += 2 + length
            switch marker {
            case 0xdb: guard JPEGScan.readQuantizers(segment, into: &quantizers) else { return nil }
            case 0xc4: guard JPEGScan.readTables(segment, into: &tables) else { return nil }
            case 0xdd where segment.count == 2: restartInterval = bigEndian(segment, at: 0)
            case 0xc0, 0xc1:
                guard segment.count >= 6, segment[0] == 8, segment.count == 6 + 3 * Int(segment[5]) else { return nil }
                height = bigEndian(segment, at: 1)
                width = bigEndian(segment, at: 3)
                for at in stride(from: 6, to: segment.count, by: 3) {
                    let factors = Int(segment[at + 1])
                    frame.append(
                        FrameComponent(
                            id: segment[at],
                            horizontal: factors >> 4,
                            vertical: factors & 15,
                            quantizer: Int(segment[at + 2])
                        )
                    )
                }
            case 0xda:
                guard let count = segment.first.map(Int.init), count == frame.count, segment.count == 4 + 2 * count,
                    width > 0, height > 0, frame.allSatisfy({ (1...4).contains($0.horizontal) }),
                    frame.allSatisfy({ (1...4).contains($0.vertical) })
                else { return nil }
                for (position, part) in frame.enumerated() {
                    let choice = segment[2 + 2 * position]
                    guard segment[1 + 2 * position] == part.id, let quantizer = quantizers[part.quantizer],
                        let constant = tables[choice >> 4], let other = tables[0x10 | choice & 15]
                    else { return nil }
                    components.append(
                        // A scan of a single component is not interleaved: its factors do not count.
                        Component(
                            horizontal: count == 1 ? 1 : part.horizontal,
                            vertical: count == 1 ? 1 : part.vertical,
                            quantizer: quantizer,
                            constant: constant,
                            other: other
                        )
                    )
                }
                start = index
                return
            case 0xc2...0xcf: return nil
            default: continue
            }
        }
        return nil
    }

    private static func readQuantizers(_ segment: [UInt8], into quantizers: inout [Int: Int]) -> Bool {
        var index = 0
        while index < segment.count {
            let isWide = segment[index] >> 4 == 1
            let length = isWide ? 128 : 64
            guard index + length < segment.count else { return false }
            let first = isWide ? bigEndian(segment, at: index + 1) : Int(segment[index + 1])
            quantizers[Int(segment[index] & 15)] = first
            index += 1 + length
        }
        return true
    }

    private static func readTables(_ segment: [UInt8], into tables: inout [UInt8: HuffmanTable]) -> Bool {
        var index = 0
        while index < segment.count {
            guard index + 17 <= segment.count else { return false }
            let counts = segment[index + 1..<index + 17].map(Int.init)
            let total = counts.reduce(0, +)
            guard index + 17 + total <= segment.count else { return false }
            let symbols = Array(segment[index + 17..<index + 17 + total])
            tables[segment[index]] = HuffmanTable(counts: counts, symbols: symbols)
            index += 17 + total
        }
        return true
    }
}

/// Two bytes as a number.
private func bigEndian(_ bytes: [UInt8], at index: Int) -> Int {
    Int(bytes[index]) << 8 | Int(bytes[index + 1])
}
