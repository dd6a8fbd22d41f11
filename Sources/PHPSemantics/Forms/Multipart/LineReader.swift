/// Collects a line from pieces of any size, as PHP's `get_line` does.
///
/// A line ends with a line feed, and loses one carriage return before it. A longer line than PHP's buffer can hold is
/// taken in pieces of its size, each as a line.
struct LineReader {
    private let capacity: Int
    private var bytes: [UInt8] = []

    /// - Parameter capacity: the size of PHP's buffer.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The line so far, up to a NUL, which is where PHP's strings end.
    var text: ArraySlice<UInt8> { bytes.prefix { $0 != ASCII.nul } }

    /// How many bytes the line has so far.
    var count: Int { bytes.count }

    /// Takes more of the line.
    /// - Returns: whether it is complete.
    mutating func take(from piece: Span<UInt8>, at index: inout Int) -> Bool {
        let start = index
        let end = min(piece.count, start + capacity - bytes.count)
        while index < end, piece[index] != ASCII.lineFeed { index += 1 }
        bytes.append(copying: piece.extracting(start..<index))
        guard index < end else { return bytes.count == capacity }
        index += 1
        if bytes.last == ASCII.carriageReturn { bytes.removeLast() }
        return true
    }

    /// Begins a new line, of which the first bytes are known.
    mutating func restart(with beginning: ArraySlice<UInt8> = []) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: beginning)
    }

    /// Takes the bytes of a line that is not complete.
    mutating func takeAll() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
