extension [UInt8] {
    /// Appends a copy of `bytes`.
    ///
    /// The array grows geometrically, so that many short pieces cost no more than one long one.
    mutating func append(copying bytes: Span<UInt8>) {
        let needed = count + bytes.count
        if needed > capacity { reserveCapacity(Swift.max(needed, 2 * capacity)) }
        guard bytes.count >= 16 else {
            for index in bytes.indices { append(bytes[index]) }
            return
        }
        append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }
}
