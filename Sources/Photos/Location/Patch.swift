/// Bytes of a file to be replaced by as many others.
struct Patch: Equatable {
    /// Where the bytes stand.
    var offset: Int
    /// What they become.
    var bytes: [UInt8]
}

extension [UInt8] {
    /// Carries out `patches`.
    mutating func apply(_ patches: [Patch]) {
        for patch in patches {
            replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
        }
    }
}
