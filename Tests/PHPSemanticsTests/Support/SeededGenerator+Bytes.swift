import TestSupport

extension SeededGenerator {
    /// Up to `maximum` bytes of any value.
    mutating func bytes(upTo maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Up to `maximum` of the pieces, one after the other.
    mutating func concatenation(of pieces: [String], upTo maximum: Int) -> [UInt8] {
        (0..<Int.random(in: 0...maximum, using: &self)).flatMap { _ in Array(pick(pieces).utf8) }
    }

    /// Changes a few bytes: replaces, inserts, removes or doubles some, or cuts the end off.
    mutating func mutate(_ bytes: inout [UInt8], alphabet: [UInt8]) {
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = pick(alphabet)
            case 1: bytes.insert(pick(alphabet), at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
            case 4: bytes.insert(contentsOf: bytes[index...].prefix(10), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
    }
}
