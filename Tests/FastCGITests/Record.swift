/// A FastCGI record as the tests write and read them, on their own account.
struct Record: Equatable {
    var type: UInt8
    var requestID: UInt16 = 1
    var content: [UInt8] = []

    struct Malformed: Error {}

    var bytes: [UInt8] {
        let id = [UInt8(requestID >> 8), UInt8(requestID & 255)]
        let length = [UInt8(content.count >> 8), UInt8(content.count & 255)]
        return [1, type] + id + length + [0, 0] + content
    }

    /// The record with so many bytes after its content, of which nothing is to be read.
    func padded(_ count: Int) -> [UInt8] {
        var bytes = bytes
        bytes[6] = UInt8(count)
        return bytes + [UInt8](repeating: 1, count: count)
    }

    static func decodeAll(_ bytes: [UInt8]) throws -> [Record] {
        var records: [Record] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 8 else { throw Malformed() }
            let header = Array(rest.prefix(8))
            let length = Int(header[4]) << 8 | Int(header[5])
            let padding = Int(header[6])
            guard header[0] == 1, rest.count >= 8 + length + padding else { throw Malformed() }
            records.append(
                Record(
                    type: header[1],
                    requestID: UInt16(header[2]) << 8 | UInt16(header[3]),
                    content: Array(rest.dropFirst(8).prefix(length))
                )
            )
            rest = rest.dropFirst(8 + length + padding)
        }
        return records
    }

    /// The records of one request, as nginx sends them.
    static func request(
        _ parameters: [(String, String)],
        body: [UInt8] = [],
        keepAlive: Bool = true
    ) -> [UInt8] {
        var pairs: [UInt8] = []
        for (name, value) in parameters {
            pairs += lengthBytes(name.utf8.count) + lengthBytes(value.utf8.count) + Array(name.utf8) + Array(value.utf8)
        }
        var output = Record(type: 1, content: [0, 1, keepAlive ? 1 : 0, 0, 0, 0, 0, 0]).bytes
        output += Record(type: 4, content: pairs).bytes + Record(type: 4).bytes
        var rest = body[...]
        while !rest.isEmpty {
            output += Record(type: 5, content: Array(rest.prefix(32_768))).bytes
            rest = rest.dropFirst(32_768)
        }
        return output + Record(type: 5).bytes
    }

    private static func lengthBytes(_ length: Int) -> [UInt8] {
        length < 128
            ? [UInt8(length)]
            : [UInt8(length >> 24) | 0x80, UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
    }
}
