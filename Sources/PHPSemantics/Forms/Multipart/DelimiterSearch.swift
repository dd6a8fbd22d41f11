/// Finds the delimiter that ends a part's content, in content that arrives in pieces of any size.
///
/// PHP ends a part at `\n--boundary`, whatever follows, and drops one `\r` before it. What may be the beginning of a
/// delimiter at the end of a piece is held back; since it equals the delimiter's own first bytes, no copy is needed.
struct DelimiterSearch {
    /// What the search found next.
    enum Step: Equatable {
        /// Content: this range of the piece.
        case content(Range<Int>)
        /// Content: this range of ``DelimiterSearch/delimiter``, held back from earlier pieces.
        case held(Range<Int>)
        /// The delimiter; the next byte of the piece is the first one after it.
        case delimiter
        /// The piece is used up.
        case needsMore
    }

    /// What is searched for: `\r\n--boundary`, of which the `\r` may be missing.
    let delimiter: [UInt8]
    /// How far the search may move on when a byte is under the delimiter's last one (Horspool's table, at most 255).
    private let skips: [UInt8]
    private var holdsReturn = false
    /// How many bytes of the delimiter are held back, not counting `\r`.
    private var held = 0

    /// A search for the end of parts with this boundary, which has no line feed in it.
    init(boundary: [UInt8]) {
        delimiter = [ASCII.carriageReturn, ASCII.lineFeed, ASCII.minus, ASCII.minus] + boundary
        let length = delimiter.count - 1
        var skips = [UInt8](repeating: UInt8(clamping: length), count: 256)
        for offset in 0..<(length - 1) {
            skips[Int(delimiter[offset + 1])] = UInt8(clamping: length - 1 - offset)
        }
        self.skips = skips
    }

    /// The next step through `bytes` from `index`, which moves on.
    mutating func next(in bytes: Span<UInt8>, at index: inout Int) -> Step {
        if held > 0 || holdsReturn {
            return continueHeld(in: bytes, at: &index)
        }
        let start = index
        guard let found = position(in: bytes, from: start) else {
            let end = holdBack(from: bytes, after: start)
            index = bytes.count
            return end > start ? .content(start..<end) : .needsMore
        }
        let end = found > start && bytes[found - 1] == ASCII.carriageReturn ? found - 1 : found
        if end > start {
            // The delimiter is found again at once by the next step.
            index = end
            return .content(start..<end)
        }
        index = found + delimiter.count - 1
        return .delimiter
    }

    /// What is held back when the body ends; PHP takes the beginning of a delimiter for one.
    /// - Returns: the range of ``delimiter`` that is content after all.
    mutating func finish() -> Range<Int> {
        defer { reset() }
        return holdsReturn && held == 0 ? 0..<1 : 0..<0
    }

    private mutating func reset() {
        held = 0
        holdsReturn = false
    }

    private mutating func continueHeld(in bytes: Span<UInt8>, at index: inout Int) -> Step {
        while index < bytes.count {
            guard bytes[index] == delimiter[held + 1] else {
                let range = (holdsReturn ? 0 : 1)..<(held + 1)
                reset()
                return .held(range)
            }
            held += 1
            index += 1
            if held + 1 == delimiter.count {
                reset()
                return .delimiter
            }
        }
        return .needsMore
    }

    /// The position of a whole delimiter's line feed, by Horspool's method.
    ///
    /// Since a delimiter has one line feed, which is compared first, no byte is compared with the rest of it more than
    /// once, whatever the boundary and the content are.
    private func position(in bytes: Span<UInt8>, from start: Int) -> Int? {
        let length = delimiter.count - 1
        let last = delimiter[length]
        var candidate = start
        while candidate + length <= bytes.count {
            let byte = bytes[candidate + length - 1]
            if byte == last, bytes[candidate] == ASCII.lineFeed, isDelimiter(bytes, at: candidate, count: length) {
                return candidate
            }
            candidate += Int(skips[Int(byte)])
        }
        return nil
    }

    /// Whether `count` bytes are those of the delimiter from its line feed on.
    private func isDelimiter(_ bytes: Span<UInt8>, at start: Int, count: Int) -> Bool {
        for offset in 0..<count where bytes[start + offset] != delimiter[offset + 1] { return false }
        return true
    }

    /// Holds back what may be the beginning of a delimiter, and says where it starts.
    private mutating func holdBack(from bytes: Span<UInt8>, after start: Int) -> Int {
        // The delimiter has one line feed, so only the last one in the piece can be its beginning.
        var lineFeed = bytes.count - 1
        let earliest = max(start, bytes.count - delimiter.count + 2)
        while lineFeed >= earliest, bytes[lineFeed] != ASCII.lineFeed { lineFeed -= 1 }
        var end = bytes.count
        if lineFeed >= earliest, isDelimiter(bytes, at: lineFeed, count: bytes.count - lineFeed) {
            held = bytes.count - lineFeed
            end = lineFeed
        }
        if end > start, bytes[end - 1] == ASCII.carriageReturn {
            holdsReturn = true
            end -= 1
        }
        return end
    }
}
