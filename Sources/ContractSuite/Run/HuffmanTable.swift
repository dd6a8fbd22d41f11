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
