/// Sorted numbers in a temporary file, read back through a buffer.
struct SortedRun: Sendable {
    /// The file, which has no name and so vanishes with its last user.
    private final class Storage: Sendable {
        let file: FileDescriptor

        init(in folder: Folder) throws(PhotoError) {
            if let nameless = try folder.createNameless() {
                file = nameless
            } else {
                let name = TemporaryName.next()
                file = try folder.create(name)
                try folder.remove(name)
            }
        }
    }

    /// Numbers that are in memory at a time.
    private static let bufferLength = 8192

    private let storage: Storage
    private let count: Int
    private var read = 0
    private var buffer: [UInt64] = []
    private var position = 0

    /// Writes `numbers`, which are in ascending order.
    init(_ numbers: [UInt64], in folder: Folder) throws(PhotoError) {
        storage = try Storage(in: folder)
        count = numbers.count
        for start in stride(from: 0, to: numbers.count, by: Self.bufferLength) {
            var bytes: [UInt8] = []
            for number in numbers[start..<min(start + Self.bufferLength, numbers.count)] {
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
            }
            try storage.file.write(bytes.span)
        }
    }

    /// The smallest number not yet dropped; nil at the end.
    mutating func head() throws(PhotoError) -> UInt64? {
        if position == buffer.count {
            buffer = try readBuffer()
            position = 0
        }
        return buffer.isEmpty ? nil : buffer[position]
    }

    /// Goes on to the next number.
    mutating func dropHead() { position += 1 }

    private mutating func readBuffer() throws(PhotoError) -> [UInt64] {
        let length = min(Self.bufferLength, count - read)
        guard length > 0 else { return [] }
        let bytes = try storage.file.read(8 * length, at: 8 * read)
        guard bytes.count == 8 * length else { throw .broken("a temporary file lost its contents") }
        read += length
        var numbers: [UInt64] = []
        for start in stride(from: 0, to: bytes.count, by: 8) {
            var number: UInt64 = 0
            for offset in 0..<8 { number |= UInt64(bytes[start + offset]) << UInt64(8 * offset) }
            numbers.append(number)
        }
        return numbers
    }
}
