internal import CMariaDB

/// The memory a prepared statement's columns are fetched into, every type as a string.
@safe struct ColumnBuffers: ~Copyable {
    /// What one bound column points to; its address must not change while it is bound.
    private struct Slot {
        var capacity = 0
        var length: CUnsignedLong = 0
        var isNull: my_bool = 0
        var isTruncated: my_bool = 0
    }

    /// The longest single value that is fetched, in bytes.
    static let limit = 16 << 20
    /// Room a column gets before its values are known; longer ones make it grow.
    private static let firstCapacity = 64...1024

    /// How many columns there are.
    let count: Int
    private let slots: UnsafeMutablePointer<Slot>
    private let binds: UnsafeMutablePointer<MYSQL_BIND>
    private var isBound = false

    /// Room for the columns of a prepared statement.
    init(of statement: UnsafeMutablePointer<MYSQL_STMT>) {
        count = unsafe Int(mysql_stmt_field_count(statement))
        unsafe slots = .allocate(capacity: max(count, 1))
        unsafe slots.initialize(repeating: Slot(), count: count)
        unsafe binds = .allocate(capacity: max(count, 1))
        unsafe binds.initialize(repeating: MYSQL_BIND(), count: count)
        let fields = unsafe mariadb_stmt_fetch_fields(statement)
        for index in 0..<count {
            let width = unsafe Int(clamping: fields?[index].length ?? 0) &+ 1
            let capacity = min(max(width, Self.firstCapacity.lowerBound), Self.firstCapacity.upperBound)
            unsafe binds[index].buffer_type = MYSQL_TYPE_STRING
            unsafe binds[index].length = fieldPointer(slots + index, \.length)
            unsafe binds[index].is_null = fieldPointer(slots + index, \.isNull)
            unsafe binds[index].error = fieldPointer(slots + index, \.isTruncated)
            allocate(capacity, at: index)
        }
    }

    deinit {
        for index in 0..<count {
            unsafe binds[index].buffer?.deallocate()
        }
        unsafe slots.deallocate()
        unsafe binds.deallocate()
    }

    /// Binds the buffers if they moved since the last time.
    ///
    /// - Returns: whether the client library accepted the binding.
    mutating func bind(to statement: UnsafeMutablePointer<MYSQL_STMT>) -> Bool {
        guard !isBound, count > 0 else { return true }
        guard unsafe mysql_stmt_bind_result(statement, binds) == 0 else { return false }
        isBound = true
        return true
    }

    /// Copies the row just fetched into `result`, fetching values again that did not fit.
    ///
    /// - Returns: whether everything was within the limits.
    mutating func copyRow(
        of statement: UnsafeMutablePointer<MYSQL_STMT>,
        into result: inout ResultBuffer
    ) -> Bool {
        for index in 0..<count {
            guard unsafe slots[index].isNull == 0 else {
                guard result.announce(length: nil) else { return false }
                continue
            }
            let length = unsafe Int(clamping: slots[index].length)
            if unsafe slots[index].isTruncated != 0 || length > slots[index].capacity {
                guard unsafe refetch(index, length: length, of: statement) else { return false }
            }
            guard result.announce(length: length) else { return false }
        }
        result.appendAnnounced { output in
            for index in 0..<count where unsafe slots[index].isNull == 0 {
                let value = unsafe UnsafeRawBufferPointer(start: binds[index].buffer, count: Int(slots[index].length))
                unsafe output.append(copying: value)
            }
        }
        return true
    }

    /// Fetches column `index` of the current row into a larger buffer.
    ///
    /// - Returns: whether it is complete now.
    private mutating func refetch(
        _ index: Int,
        length: Int,
        of statement: UnsafeMutablePointer<MYSQL_STMT>
    ) -> Bool {
        guard length <= Self.limit else { return false }
        allocate(max(length + length / 2, 2 * (unsafe slots[index].capacity)), at: index)
        return unsafe mysql_stmt_fetch_column(statement, binds + index, CUnsignedInt(index), 0) == 0
            && slots[index].isTruncated == 0
    }

    /// Gives column `index` a new buffer, to be bound before the next row.
    private mutating func allocate(_ capacity: Int, at index: Int) {
        unsafe binds[index].buffer?.deallocate()
        unsafe binds[index].buffer = .allocate(byteCount: capacity, alignment: 16)
        unsafe binds[index].buffer_length = CUnsignedLong(capacity)
        unsafe slots[index].capacity = capacity
        isBound = false
    }
}
