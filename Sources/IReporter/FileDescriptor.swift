internal import Glibc

/// A file descriptor that is closed when it is no longer held.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Takes over a descriptor; nil if it is none (negative), as after a failed call.
    init?(_ number: Int32) {
        guard number >= 0 else {
            return nil
        }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Opens a file for reading; nil with `errno` set if it cannot be.
    static func openForReading(_ path: String) -> FileDescriptor? {
        FileDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC))
    }

    /// Everything from the start of the file; nil if it cannot be read or is longer than `limit` bytes.
    borrowing func readAll(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe pread(number, &chunk, chunk.count, off_t(bytes.count))
            if count < 0 {
                if errno == EINTR {
                    continue
                }
                return nil
            }
            if count == 0 {
                return bytes
            }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit {
                return nil
            }
        }
    }

    /// Writes everything from the start of an empty file on; false with `errno` set if that fails.
    borrowing func write(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(number, $0.baseAddress! + offset, bytes.count - offset, off_t(offset))
            }
            if count >= 0 {
                offset += count
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// The number of a group of this machine; nil if there is none of that name.
func groupNumber(_ name: String) -> UInt32? {
    unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid }
}
