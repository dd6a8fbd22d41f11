/// The content of a session in the format of PHP's `php` serialize handler: `key|value` after `key|value`.
///
/// The bytes of all keys but the one that is set stay exactly as they are.
public struct SessionData: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var bytes: [UInt8]
        var keyLength: Int
        var value: PHPValue
    }

    private var entries: [Entry] = []

    /// An empty session.
    public init() {}

    /// Reads a session's bytes; if they are malformed anywhere, the session is empty, as PHP has it.
    public init(decoding bytes: [UInt8]) {
        var unserializer = Unserializer(bytes)
        while !unserializer.isAtEnd {
            guard let key = unserializer.skip(to: ASCII.bar), let value = try? unserializer.skipValue() else {
                entries = []
                return
            }
            entries.append(
                Entry(bytes: Array(bytes[key.lowerBound..<unserializer.index]), keyLength: key.count, value: value)
            )
        }
    }

    /// Whether there are no keys.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a key, or nil if it is missing.
    public subscript(_ key: String) -> PHPValue? {
        entries.last { $0.bytes.prefix($0.keyLength).elementsEqual(key.utf8) }?.value
    }

    /// Sets a key to a string.
    /// - Parameters:
    ///   - key: the key, without `|`.
    ///   - string: any bytes.
    public mutating func set(_ key: String, to string: [UInt8]) {
        let bytes = Array("\(key)|s:\(string.count):\"".utf8) + string + "\";".utf8
        let entry = Entry(bytes: bytes, keyLength: key.utf8.count, value: .string(string))
        if let position = entries.lastIndex(where: { $0.bytes.prefix($0.keyLength).elementsEqual(key.utf8) }) {
            entries[position] = entry
        } else {
            entries.append(entry)
        }
    }

    /// Removes a key.
    public mutating func remove(_ key: String) {
        entries.removeAll { $0.bytes.prefix($0.keyLength).elementsEqual(key.utf8) }
    }

    /// The session's bytes, as PHP reads them.
    public func encoded() -> [UInt8] {
        Array(entries.map(\.bytes).joined())
    }
}

extension SessionData {
    /// The id of the logged-in user, or nil if nobody is logged in.
    public func loggedInUser() -> Int64? {
        guard let value = self["IdUser"], value.isTruthy else { return nil }
        switch value {
        case .string(let bytes): return IntegerCast.integer(URLCoding.decode(bytes))
        case .int(let number): return number
        case .bool(let flag): return flag ? 1 : 0
        case .double(let number): return IntegerCast.truncated(number)
        case .null, .array, .object: return nil
        }
    }
}
