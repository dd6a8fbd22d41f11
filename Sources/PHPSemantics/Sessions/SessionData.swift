/// The content of a session in the format of PHP's `php` serialize handler: `key|value` after `key|value`.
///
/// The values are really parsed, so a string that looks like another key is a string. The bytes of every key but the
/// one that is set stay exactly as they are.
public struct SessionData: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let key: Range<Int>
        let value: Range<Int>
        let item: Unserializer.Item
        /// How many numbers the value takes that references may refer to.
        let numbers: Int
        /// Whether the value refers to others.
        let hasReferences: Bool
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// An empty session.
    public init() {}

    /// Reads a session's bytes; if they are malformed anywhere, the session is empty, as PHP has it.
    ///
    /// PHP reads objects of classes that it does not know, and so does this. Enumeration cases are read as well, though
    /// PHP rejects those of an enumeration that it does not know.
    /// - Parameter bytes: a session file's content.
    public init(decoding bytes: [UInt8]) {
        var unserializer = Unserializer(bytes)
        do throws(Unserializer.Malformed) {
            while !unserializer.isAtEnd {
                let key = try unserializer.skip(to: ASCII.bar)
                let numbers = unserializer.numberedValues
                let references = unserializer.references
                let item = try unserializer.skipValue()
                entries.append(
                    Entry(
                        key: key,
                        value: key.upperBound + 1..<unserializer.index,
                        item: item,
                        numbers: unserializer.numberedValues - numbers,
                        hasReferences: unserializer.references > references
                    )
                )
            }
            self.bytes = bytes
        } catch {
            entries = []
        }
    }

    /// Whether there are no keys.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a key, or nil if it is missing; of equal keys the last one counts.
    /// - Parameter key: the key as it stands before the `|`.
    public subscript(_ key: String) -> PHPValue? {
        guard let position = lastPosition(of: key) else { return nil }
        switch entries[position].item {
        case .value(let value): return value
        case .reference(let number): return value(numbered: number)
        }
    }

    /// Sets a key to a string.
    ///
    /// The new value takes the old one's place, or comes last if there is none. It also comes last, after the old value,
    /// if taking its place would change the numbers that later references refer to; PHP takes the last of equal keys,
    /// and writes it only once when it writes the session itself.
    /// - Parameters:
    ///   - key: the key, which has no `|`.
    ///   - string: any bytes.
    public mutating func set(_ key: String, to string: [UInt8]) {
        put(key, Array("s:\(string.count):\"".utf8) + string + Array("\";".utf8))
    }

    /// Removes a key.
    ///
    /// Where that would change the numbers that later references refer to, the key is set to null instead, which PHP's
    /// `isset` and `empty` cannot tell from a missing one.
    /// - Parameter key: the key, which has no `|`.
    public mutating func remove(_ key: String) {
        let positions = entries.indices.filter { has(key, at: $0) }
        guard let first = positions.first else { return }
        if entries[(first + 1)...].contains(where: \.hasReferences) {
            put(key, Array("N;".utf8))
        } else {
            var rest = bytes
            for position in positions.reversed() {
                rest.removeSubrange(entries[position].key.lowerBound..<entries[position].value.upperBound)
            }
            self = SessionData(decoding: rest)
        }
    }

    /// The session's bytes, as PHP reads them.
    public func encoded() -> [UInt8] {
        bytes
    }

    private mutating func put(_ key: String, _ value: [UInt8]) {
        precondition(!key.utf8.contains(ASCII.bar), "a session key with a delimiter in it cannot be read back")
        var changed = bytes
        if let position = lastPosition(of: key), isReplaceable(position) {
            changed.replaceSubrange(entries[position].value, with: value)
        } else {
            changed += Array(key.utf8) + [ASCII.bar] + value
        }
        self = SessionData(decoding: changed)
    }

    /// Whether a scalar in this value's place leaves later references valid.
    private func isReplaceable(_ position: Int) -> Bool {
        let entry = entries[position]
        guard entries[(position + 1)...].contains(where: \.hasReferences) else { return true }
        return entry.numbers == 1 && entry.item != .value(.object)
    }

    private func lastPosition(of key: String) -> Int? {
        entries.indices.last { has(key, at: $0) }
    }

    private func has(_ key: String, at position: Int) -> Bool {
        bytes.span.extracting(entries[position].key).equals(key.utf8.span)
    }

    private func value(numbered number: Int) -> PHPValue? {
        var unserializer = Unserializer(bytes, wanted: number)
        while unserializer.found == nil, (try? unserializer.skip(to: ASCII.bar)) != nil {
            guard (try? unserializer.skipValue()) != nil else { return nil }
        }
        return unserializer.found
    }
}
