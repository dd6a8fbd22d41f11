internal import Glibc

/// The parameters of one request, such as `REQUEST_METHOD`: names and values of any bytes.
struct ParameterList {
    /// The most bytes that names, values and their lengths may have together; nginx sends some tens of thousand at most.
    static let maximumLength = 1 << 20

    private var bytes: [UInt8] = []
    private var pairs: [(name: Range<Int>, value: Range<Int>)] = []

    /// Forgets everything, so that the next request's parameters can be appended.
    mutating func reset() {
        // What an unusual request needed is not kept for the usual ones.
        pairs.removeAll(keepingCapacity: pairs.capacity <= 1024)
        bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
    }

    /// Appends the next `count` bytes that arrive; false if they do not, or that is too much.
    mutating func append(_ count: Int, from input: inout ConnectionInput) -> Bool {
        guard count <= Self.maximumLength - bytes.count else {
            return false
        }
        var left = count
        while left > 0 {
            guard let place = input.next(of: &left) else {
                return false
            }
            bytes.append(contentsOf: input.bytes[place])
        }
        return true
    }

    /// Takes what was appended apart (FastCGI 1.0, section 3.4); false if it ends within a pair.
    mutating func parse() -> Bool {
        var position = 0
        while position < bytes.count {
            guard let name = length(at: &position), let value = length(at: &position),
                name + value <= bytes.count - position
            else {
                return false
            }
            let middle = position + name
            pairs.append((name: position..<middle, value: middle..<middle + value))
            position = middle + value
        }
        return true
    }

    /// A length of one byte, or of four whose first bit is set; nil if the bytes end before it does.
    private func length(at position: inout Int) -> Int? {
        guard position < bytes.count else {
            return nil
        }
        let first = Int(bytes[position])
        if first < 128 {
            position += 1
            return first
        }
        guard bytes.count - position >= 4 else {
            return nil
        }
        defer { position += 4 }
        return (first & 127) << 24 | Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8
            | Int(bytes[position + 3])
    }

    /// The value of the first parameter of a name; nil if there is none.
    func value(of name: StaticString) -> [UInt8]? {
        let count = name.utf8CodeUnitCount
        guard let pair = pairs.first(where: { $0.name.count == count && isSame($0.name, name) }) else {
            return nil
        }
        return Array(bytes[pair.value])
    }

    /// The values of all parameters of a name, in their order.
    func values(of name: StaticString) -> [[UInt8]] {
        let count = name.utf8CodeUnitCount
        return pairs.filter { $0.name.count == count && isSame($0.name, name) }.map { Array(bytes[$0.value]) }
    }

    /// Whether a literal has the bytes at `place`, of which there are as many.
    private func isSame(_ place: Range<Int>, _ name: StaticString) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe memcmp(bytes.baseAddress! + place.lowerBound, name.utf8Start, place.count) == 0
        }
    }
}
