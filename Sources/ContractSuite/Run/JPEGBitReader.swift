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
