/// The reply to `stream`, read strictly: keys in the contract's order, ids as strings, newest first, 50 at most.
struct PhotoList {
    /// The photos' ids in the order listed.
    let ids: [UInt64]

    /// Reads a whole body.
    init(_ body: [UInt8]) throws(Difference) {
        let expected =
            "{\"result\":[{\"IdPhoto\":\"...\",\"title\":\"...\",\"IdUser\":\"...\",\"username\":\"...\"},...]}"
        let problem = Difference("body", expected: Array(expected.utf8), got: body)
        var rest = body[...]
        guard rest.take("{\"result\":[") else { throw problem }
        var ids: [UInt64] = []
        while rest.first == UInt8(ascii: "{") {
            guard rest.take("{\"IdPhoto\":\""), let id = rest.takeNumber(), rest.take("\",\"title\":"),
                rest.takeStringOrNull(), rest.take(",\"IdUser\":\""), rest.takeNumber() != nil,
                rest.take("\",\"username\":"), rest.takeStringOrNull(), rest.take("}")
            else { throw problem }
            ids.append(id)
            guard rest.first == UInt8(ascii: ",") else { break }
            rest = rest.dropFirst()
        }
        guard rest.elementsEqual("]}".utf8) else { throw problem }
        guard zip(ids, ids.dropFirst()).allSatisfy({ $0 > $1 }) else {
            throw Difference("body", expected: "ids in falling order", got: "\(ids)")
        }
        guard ids.count <= 50 else {
            throw Difference("body", expected: "50 photos at most", got: "\(ids.count) photos")
        }
        self.ids = ids
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        self = dropFirst(text.utf8.count)
        return true
    }

    fileprivate mutating func takeNumber() -> UInt64? {
        let digits = prefix { (0x30...0x39).contains($0) }
        self = dropFirst(digits.count)
        return UInt64(String(decoding: digits, as: UTF8.self))
    }

    /// A JSON string of printable ASCII and DEL, as `json_encode` writes it, or `null` for an SQL NULL.
    fileprivate mutating func takeStringOrNull() -> Bool {
        if take("null") { return true }
        guard take("\"") else { return false }
        while let byte = first {
            self = dropFirst()
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = popFirst() else { return false }
                if escaped == UInt8(ascii: "u") {
                    guard prefix(4).count == 4, prefix(4).allSatisfy(isLowerHexDigit) else { return false }
                    self = dropFirst(4)
                } else if !"\"\\/bfnrt".utf8.contains(escaped) {
                    return false
                }
            case 0x20..<0x80 where byte != UInt8(ascii: "/"): continue
            default: return false
            }
        }
        return false
    }
}

private func isLowerHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
}
