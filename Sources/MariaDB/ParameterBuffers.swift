internal import CMariaDB

/// The memory a prepared statement's parameters are sent from: bound once, refilled for each execution.
@safe struct ParameterBuffers: ~Copyable {
    /// What one bound parameter points to; its address must not change while it is bound.
    @safe private struct Slot {
        var text: UnsafeMutableRawPointer?
        var capacity = 0
        var length: CUnsignedLong = 0
        var integer: Int64 = 0
        var isNull: my_bool = 0
    }

    private let count: Int
    private let slots: UnsafeMutablePointer<Slot>
    private let binds: UnsafeMutablePointer<MYSQL_BIND>
    private var isBound = false

    /// Room for `count` parameters.
    init(count: Int) {
        self.count = count
        unsafe slots = .allocate(capacity: max(count, 1))
        unsafe slots.initialize(repeating: Slot(), count: count)
        unsafe binds = .allocate(capacity: max(count, 1))
        unsafe binds.initialize(repeating: MYSQL_BIND(), count: count)
        for index in 0..<count {
            unsafe binds[index].length = fieldPointer(slots + index, \.length)
            unsafe binds[index].is_null = fieldPointer(slots + index, \.isNull)
            unsafe binds[index].buffer_type = MYSQL_TYPE_NULL
        }
    }

    deinit {
        for index in 0..<count {
            unsafe slots[index].text?.deallocate()
        }
        unsafe slots.deallocate()
        unsafe binds.deallocate()
    }

    /// Takes the values of the next execution and binds the buffers again if any has moved or changed its type.
    ///
    /// - Returns: whether the client library accepted the binding.
    mutating func fill(_ values: [SQLValue], for statement: UnsafeMutablePointer<MYSQL_STMT>) -> Bool {
        precondition(values.count == count, "a statement of \(count) parameters was given \(values.count)")
        for index in 0..<count {
            switch values[index] {
            case .null:
                // The type stays: only a first binding needs one at all.
                if unsafe binds[index].buffer_type == MYSQL_TYPE_NULL { use(MYSQL_TYPE_STRING, at: index) }
                unsafe slots[index].isNull = 1
            case .integer(let value):
                use(MYSQL_TYPE_LONGLONG, at: index)
                unsafe slots[index].integer = value
                unsafe slots[index].length = 8
                unsafe slots[index].isNull = 0
            case .text(let bytes):
                use(MYSQL_TYPE_STRING, at: index)
                store(bytes, at: index)
            case .binary(let bytes):
                use(MYSQL_TYPE_BLOB, at: index)
                store(bytes, at: index)
            }
        }
        if !isBound, count > 0 {
            guard unsafe mysql_stmt_bind_param(statement, binds) == 0 else { return false }
            isBound = true
        }
        return true
    }

    /// Makes parameter `index` one of `type`, pointing to where such values are kept.
    private mutating func use(_ type: enum_field_types, at index: Int) {
        guard unsafe binds[index].buffer_type != type else { return }
        unsafe binds[index].buffer_type = type
        if type == MYSQL_TYPE_LONGLONG {
            unsafe binds[index].buffer = UnsafeMutableRawPointer(fieldPointer(slots + index, \.integer))
        } else {
            unsafe binds[index].buffer = slots[index].text
        }
        isBound = false
    }

    /// Copies a string into parameter `index`.
    private mutating func store(_ bytes: [UInt8], at index: Int) {
        if unsafe slots[index].text == nil || bytes.count > slots[index].capacity {
            let capacity = max(64, bytes.count + bytes.count / 2)
            unsafe slots[index].text?.deallocate()
            unsafe slots[index].text = .allocate(byteCount: capacity, alignment: 16)
            unsafe slots[index].capacity = capacity
            unsafe binds[index].buffer = slots[index].text
            isBound = false
        }
        unsafe bytes.withUnsafeBytes { source in
            if let start = source.baseAddress {
                unsafe slots[index].text?.copyMemory(from: start, byteCount: source.count)
            }
        }
        unsafe slots[index].length = CUnsignedLong(bytes.count)
        unsafe slots[index].isNull = 0
    }
}

/// The address of a stored property of a value in C memory.
func fieldPointer<Root, Value>(
    _ root: UnsafeMutablePointer<Root>,
    _ path: WritableKeyPath<Root, Value>
) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe UnsafeMutablePointer(mutating: root.pointer(to: path)) else {
        preconditionFailure("not a stored property")
    }
    return unsafe pointer
}
