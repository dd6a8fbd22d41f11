internal import Glibc

/// An open file, closed when its owner goes.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: CInt

    init(owning raw: CInt) { self.raw = raw }

    deinit { _ = close(raw) }

    /// Gives up ownership.
    consuming func take() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// What the file system knows of the file.
    func status() throws(PhotoError) -> FileStatus {
        let raw = raw
        var status = stat()
        try attempt("examine a file") { Int(unsafe fstat(raw, &status)) }
        return FileStatus(status)
    }

    /// Writes all of `bytes` at the end of what was written before.
    func write(_ bytes: Span<UInt8>) throws(PhotoError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let raw = raw
            written += try attempt("write a file") {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Replaces the bytes from `offset` on.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(PhotoError) {
        var written = 0
        while written < bytes.count {
            let raw = raw
            let done = written
            written += try attempt("write a file") {
                unsafe bytes[done...].withUnsafeBytes { unsafe pwrite(raw, $0.baseAddress, $0.count, offset + done) }
            }
        }
    }

    /// Reads `count` bytes of the file from `offset` on, or fewer if it is shorter.
    func read(_ count: Int, at offset: Int = 0) throws(PhotoError) -> [UInt8] {
        var failure: PhotoError?
        let raw = raw
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(PhotoError) {
                while filled < count {
                    let done = filled
                    let received = try attempt("read a file") {
                        unsafe pread(raw, buffer.baseAddress! + done, count - done, offset + done)
                    }
                    guard received > 0 else { break }
                    filled += received
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Waits until the file and its size, mode and owner are on the disk.
    func synchronize() throws(PhotoError) {
        let raw = raw
        _ = try attempt("flush to the disk") { Int(fsync(raw)) }
    }
}

/// What the file system knows of a file.
struct FileStatus {
    /// Device and inode number, which tell a file from another that takes its name.
    struct Identity: Equatable, Sendable {
        var device: UInt
        var inode: UInt
    }

    var identity: Identity
    /// Whether it is an ordinary file.
    var isRegular: Bool
    /// Size in bytes.
    var size: Int
    /// When the contents were last changed, in seconds since 1970.
    var modified: Int
    /// When contents, names or mode were last changed, in seconds since 1970.
    var changed: Int

    init(_ status: stat) {
        identity = Identity(device: status.st_dev, inode: status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        size = status.st_size
        modified = status.st_mtim.tv_sec
        changed = status.st_ctim.tv_sec
    }
}

/// Makes a system call, again when a signal interrupted it.
///
/// - Returns: What the call returned, zero or more.
/// - Throws: `PhotoError.storage` with the call's error and `operation`.
@discardableResult
func attempt(_ operation: String, _ call: () -> Int) throws(PhotoError) -> Int {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw .storage(errno: code, operation: operation) }
    }
}
