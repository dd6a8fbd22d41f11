extension [UInt8] {
    /// Appends a copy of `bytes`.
    ///
    /// The array grows geometrically, so that many short pieces cost no more than one long one.
    mutating func append(copying bytes: Span<UInt8>) {
        // Making room even for nothing would give an empty array memory of its own.
        guard !bytes.isEmpty else { return }
        append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Appends a copy of `bytes`, for which there has to be room.
    @inlinable
    @inline(__always)
    mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity, "no room")
        // A loop over checked elements is not made a block copy of, which is what a constant text needs.
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            unsafe bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(buffer.extracting(initialized...)).copyMemory(from: source)
            }
            initialized += bytes.count
        }
    }

    /// Appends the UTF-8 of `text`, for which there has to be room.
    @inlinable
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes in
            append(copying: unsafe Span(_unsafeElements: bytes))
        }
    }

    /// Appends the lowest bytes of a word, the lowest of all first.
    ///
    /// There has to be room for eight, since so many are written whatever `count` is.
    /// - Parameter count: how many bytes are kept, 0 to 8.
    @inline(__always)
    mutating func append(lowest count: Int, of word: UInt64) {
        precondition(0...8 ~= count, "not a number of bytes of a word")
        append(repeating: 0, count: 8)
        var written = mutableSpan
        // Unsafe only because elements of another type could be made invalid; the bounds are checked.
        var bytes = unsafe written.mutableBytes
        bytes.storeBytes(of: word.littleEndian, toByteOffset: bytes.byteCount - 8, as: UInt64.self)
        removeLast(8 - count)
    }
}

extension Span where Element == UInt8 {
    /// Eight bytes, the first one lowest, with zeros for those beyond the end.
    /// - Parameter index: where the first one is; there has to be a byte.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index < count, "beyond the end")
        guard count >= 8 else {
            var word: UInt64 = 0
            for index in (index..<count).reversed() { word = word << 8 | UInt64(self[index]) }
            return word
        }
        // Near the end these are the last eight bytes, without those before `index`.
        let start = min(index, count - 8)
        // Unsafe only because it is for every type; any eight bytes are an integer, and the bounds are checked.
        let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        return UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: 8 &* (index &- start))
    }
}
