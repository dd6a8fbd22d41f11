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

/// A Huffman table (ITU-T T.81, C.2): the symbols by code length and code.
struct HuffmanTable {
    private var symbols: [Int: UInt8] = [:]

    /// `counts` holds the number of codes of each length from 1 to 16.
    init(counts: [Int], symbols list: [UInt8]) {
        var code = 0
        var next = 0
        for (length, count) in counts.enumerated() {
            for _ in 0..<count {
                symbols[(length + 1) << 16 | code] = list[next]
                next += 1
                code += 1
            }
            code <<= 1
        }
    }

    /// The symbol of a code of `length` bits, if there is one.
    func symbol(length: Int, code: Int) -> UInt8? {
        symbols[length << 16 | code]
    }
}

/// Reads the bits of a scan; a zero after 0xff is dropped, a marker ends it.
struct JPEGBitReader {
    private let bytes: [UInt8]
    private var index: Int
    private var current: UInt8 = 0
    private var left = 0

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        index = start
    }

    /// Reads one block; answers the difference of its constant term to the previous block's.
    mutating func block(constant: HuffmanTable, other: HuffmanTable) -> Int? {
        guard let size = symbol(constant), size <= 11, let difference = value(Int(size)) else { return nil }
        var position = 1
        while position < 64 {
            guard let code = symbol(other) else { return nil }
            if code == 0 { break }
            guard value(Int(code & 15)) != nil else { return nil }
            position += Int(code >> 4) + 1
        }
        return difference
    }

    /// Steps over a restart marker at a byte boundary.
    mutating func skipRestartMarker() -> Bool {
        left = 0
        guard index + 1 < bytes.count, bytes[index] == 0xff, (0xd0...0xd7).contains(bytes[index + 1]) else {
            return false
        }
        index += 2
        return true
    }

    private mutating func symbol(_ table: HuffmanTable) -> UInt8? {
        var code = 0
        for length in 1...16 {
            guard let bit = bit() else { return nil }
            code = code << 1 | bit
            if let symbol = table.symbol(length: length, code: code) { return symbol }
        }
        return nil
    }

    /// A signed value of `size` bits (ITU-T T.81, F.2.2.1).
    private mutating func value(_ size: Int) -> Int? {
        var value = 0
        for _ in 0..<size {
            guard let bit = bit() else { return nil }
            value = value << 1 | bit
        }
        return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
    }

    private mutating func bit() -> Int? {
        if left == 0 {
            guard index < bytes.count else { return nil }
            current = bytes[index]
            if current == 0xff {
                guard index + 1 < bytes.count, bytes[index + 1] == 0 else { return nil }
                index += 1
            }
            index += 1
            left = 8
        }
        left -= 1
        return Int(current >> left & 1)
    }
}
