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

    /// Forgets the last result and expects rows of `columnCount` columns.
    mutating func reset(columnCount: Int) {
        if bytes.capacity > Self.keptCapacity {
            bytes = []
            cells = []
        }
        bytes.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        self.columnCount = columnCount
    }

    /// Adds NULL as the next column.
    mutating func appendNull() {
        cells.append(Cell(start: bytes.count, length: -1))
    }

    /// Adds the next column.
    ///
    /// - Returns: whether it was within the limit.
    mutating func append(_ value: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + value.count <= Self.limit else { return false }
        cells.append(Cell(start: bytes.count, length: value.count))
        unsafe bytes.append(contentsOf: value)
        return true
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
