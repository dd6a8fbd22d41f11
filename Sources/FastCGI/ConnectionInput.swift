internal import CLinux
internal import Glibc

/// What arrives on a connection, as far as it has been read ahead.
struct ConnectionInput {
    /// Where the bytes lie; those read ahead are at `position..<end`.
    private(set) var bytes = [UInt8](repeating: 0, count: 65_536)
    private var position = 0
    private var end = 0
    private var connection: Int32 = -1

    /// Begins to read from a connection, of which nothing is read ahead.
    mutating func begin(_ connection: Int32) {
        self.connection = connection
        position = 0
        end = 0
    }

    /// How many bytes have been read ahead.
    var count: Int { end - position }

    /// Takes `count` bytes, at most as many as were read ahead, and tells where they are until more are read.
    mutating func take(_ count: Int) -> Range<Int> {
        let taken = position..<position + min(count, end - position)
        position = taken.upperBound
        return taken
    }

    /// Takes of the next `left` bytes those that have been read ahead, at least one, and counts them off; nil at the
    /// end, as with `require`.
    mutating func next(of left: inout Int) -> Range<Int>? {
        guard require(1) else {
            return nil
        }
        let place = take(left)
        left -= place.count
        return place
    }

    /// Takes and drops `count` bytes; false at the end, as with `require`.
    mutating func skip(_ count: Int) -> Bool {
        var left = count
        while left > 0 {
            guard next(of: &left) != nil else {
                return false
            }
        }
        return true
    }

    /// Waits until at least `count` bytes are read ahead, at most as many as a header has; false if the connection ends,
    /// fails or is silent for too long.
    mutating func require(_ count: Int) -> Bool {
        while self.count < count {
            guard fill() else {
                return false
            }
        }
        return true
    }

    /// Waits for more bytes.
    private mutating func fill() -> Bool {
        // Less than a header.
        for offset in 0..<count {
            bytes[offset] = bytes[position + offset]
        }
        end -= position
        position = 0
        while true {
            let received = unsafe bytes.withUnsafeMutableBytes {
                unsafe recv(connection, $0.baseAddress! + end, $0.count - end, 0)
            }
            if received > 0 {
                end += received
                return true
            }
            guard received < 0, errno == EINTR else {
                return false
            }
        }
    }
}
