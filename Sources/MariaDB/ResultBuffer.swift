/// A whole result, copied out of the connection: all bytes in one buffer, all columns in another.
///
/// Rows are handed out only once the last one has arrived, so a statement whose connection breaks can be
/// repeated before anybody has seen half of its result. Both buffers are kept from statement to statement.
struct ResultBuffer: ~Copyable {
    /// Where a column's value lies in `bytes`.
    struct Cell {
        /// Offset of the first byte.
        let start: Int
        /// Number of bytes; -1 for NULL.
        let length: Int

        /// Whether the value is NULL.
        var isNull: Bool { length < 0 }
    }

    /// The largest result kept in memory, in bytes.
    static let limit = 64 << 20
    /// Buffers above this size are given back after use.
    private static let keptCapacity = 1 << 20

    private var bytes: [UInt8] = []
    private var cells: [Cell] = []
    private var columnCount = 0
    /// How many bytes the columns have that were announced since `bytes` last grew.
    private var announced = 0

    /// Forgets the last result and expects rows of `columnCount` columns.
    mutating func reset(columnCount: Int) {
        if bytes.capacity > Self.keptCapacity {
            bytes = []
            cells = []
        }
        bytes.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        self.columnCount = columnCount
        announced = 0
    }

    /// Adds the next column of a row, whose bytes follow once all columns are announced.
    ///
    /// - Parameter length: the number of bytes; `nil` is NULL.
    /// - Returns: whether it was within the limit.
    mutating func announce(length: Int?) -> Bool {
        let start = bytes.count + announced
        guard start + (length ?? 0) <= Self.limit else { return false }
        cells.append(Cell(start: start, length: length ?? -1))
        announced += length ?? 0
        return true
    }

    /// Adds the bytes of all columns announced since the last time, in their order; all have to be written.
    @inline(__always)
    mutating func appendAnnounced(_ write: (inout OutputSpan<UInt8>) -> Void) {
        let end = bytes.count + announced
        bytes.append(addingCapacity: announced, initializingWith: write)
        precondition(bytes.count == end, "a row that is shorter than announced")
        announced = 0
    }

    /// Lends each row in turn.
    borrowing func forEachRow(_ body: (borrowing Row) -> Void) {
        guard columnCount > 0 else { return }
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe cells.withUnsafeBufferPointer { cells in
                for start in stride(from: 0, to: cells.count, by: columnCount) {
                    let row = unsafe UnsafeBufferPointer(rebasing: cells[start..<start + columnCount])
                    body(unsafe Row(bytes: bytes, cells: row))
                }
            }
        }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Appends a copy of `source`, for which there has to be room.
    @inline(__always)
    mutating func append(copying source: UnsafeRawBufferPointer) {
        precondition(source.count <= freeCapacity, "no room")
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            unsafe UnsafeMutableRawBufferPointer(buffer.extracting(initialized...)).copyMemory(from: source)
            initialized += source.count
        }
    }
}
