/// One row of a result, readable only inside the closure it is lent to.
@safe public struct Row: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private let cells: UnsafeBufferPointer<ResultBuffer.Cell>

    /// How many columns there are.
    public var count: Int { unsafe cells.count }

    /// Borrows one row of a buffer that outlives this value.
    init(bytes: UnsafeRawBufferPointer, cells: UnsafeBufferPointer<ResultBuffer.Cell>) {
        unsafe self.bytes = bytes
        unsafe self.cells = cells
    }

    /// Whether column `index` is NULL.
    public func isNull(_ index: Int) -> Bool {
        unsafe cells[index].isNull
    }

    /// Lends the bytes of column `index`, in the connection's character set, without copying them; `nil` is NULL.
    @inline(__always)
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ index: Int,
        _ body: (Span<UInt8>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let cell = unsafe cells[index]
        guard !cell.isNull else { return try body(nil) }
        let slice = unsafe UnsafeRawBufferPointer(rebasing: bytes[cell.start..<cell.start + cell.length])
        return try body(unsafe Span<UInt8>(_unsafeBytes: slice))
    }

    /// A copy of column `index`; `nil` is NULL.
    public func bytes(_ index: Int) -> [UInt8]? {
        let cell = unsafe cells[index]
        guard !cell.isNull else { return nil }
        return unsafe Array(bytes[cell.start..<cell.start + cell.length])
    }

    /// Column `index` read as a decimal number; `nil` is NULL or anything that is not a 64-bit integer.
    public func integer(_ index: Int) -> Int64? {
        let cell = unsafe cells[index]
        guard !cell.isNull else { return nil }
        let end = cell.start + cell.length
        let isNegative = unsafe cell.length > 0 && bytes[cell.start] == UInt8(ascii: "-")
        let start = cell.start + (isNegative ? 1 : 0)
        guard start < end else { return nil }
        // Downward, since the smallest number has no positive counterpart.
        var value: Int64 = 0
        for index in start..<end {
            let digit = unsafe Int64(bytes[index] &- UInt8(ascii: "0"))
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isFull) = tens.subtractingReportingOverflow(digit)
            guard digit < 10, !isTooLarge, !isFull else { return nil }
            value = sum
        }
        guard !isNegative else { return value }
        return value == .min ? nil : -value
    }
}
