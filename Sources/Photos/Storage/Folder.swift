internal import Glibc

/// An open directory.
///
/// Everything in it is reached through its descriptor, so one upload never spreads over two directories when the
/// path is renamed meanwhile.
final class Folder: Sendable {
    /// The path it was opened by.
    let path: String
    /// Device and inode number of the directory.
    let identity: FileStatus.Identity
    private let descriptor: FileDescriptor

    /// Whether `/proc` lets us name files later which were made without a name (`O_TMPFILE`).
    ///
    /// Asked once for the whole process, since every upload opens its folder anew.
    private static let canNameNamelessFiles = unsafe access("/proc/self/fd", X_OK) == 0

    /// Opens the directory at `path`.
    convenience init(path: String) throws(PhotoError) {
        try self.init(path: path, opened: "open the folder") {
            unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
    }

    /// Opens the directory `name` inside this one, and creates it if it is missing.
    func subfolder(_ name: String, creating mode: UInt32) throws(PhotoError) -> Folder {
        let directory = descriptor.raw
        do throws(PhotoError) {
            try attempt("create \(name)") { Int(unsafe mkdirat(directory, name, mode)) }
        } catch .storage(EEXIST, _) {
        }
        return try Folder(path: "\(path)/\(name)", opened: "open \(name)") {
            unsafe openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    /// Takes over the directory that `open` opens.
    private init(path: String, opened operation: String, by open: () -> CInt) throws(PhotoError) {
        descriptor = FileDescriptor(owning: CInt(try attempt(operation) { Int(open()) }))
        self.path = path
        identity = try descriptor.status().identity
    }

    /// Whether the path still leads to this directory.
    var isInPlace: Bool {
        var status = stat()
        return unsafe fstatat(AT_FDCWD, path, &status, 0) == 0
            && FileStatus(status).identity == identity
    }

    /// Creates a file without a name, or nil where the file system cannot.
    func createNameless() throws(PhotoError) -> FileDescriptor? {
        guard Self.canNameNamelessFiles else { return nil }
        let directory = descriptor.raw
        do throws(PhotoError) {
            let raw = try attempt("create a file") {
                Int(unsafe openat(directory, ".", O_RDWR | temporaryFileFlag | O_CLOEXEC, 0o600))
            }
            return FileDescriptor(owning: CInt(raw))
        } catch .storage(EOPNOTSUPP, _), .storage(EISDIR, _), .storage(EINVAL, _) {
            return nil
        }
    }

    /// Creates a file that must not exist yet.
    func create(_ name: String) throws(PhotoError) -> FileDescriptor {
        let directory = descriptor.raw
        let raw = try attempt("create a file") {
            Int(unsafe openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        }
        return FileDescriptor(owning: CInt(raw))
    }

    /// Opens a file for reading; symbolic links are not followed.
    func open(_ name: String) throws(PhotoError) -> FileDescriptor {
        let directory = descriptor.raw
        // Non-blocking, since a FIFO by that name would otherwise hold us.
        let raw = try attempt("open a file") {
            Int(unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
        }
        return FileDescriptor(owning: CInt(raw))
    }

    /// Gives a nameless file a name that must be free.
    func link(_ file: borrowing FileDescriptor, as name: String) throws(PhotoError) {
        let directory = descriptor.raw
        let source = "/proc/self/fd/\(file.raw)"
        try attempt("publish a file") { Int(unsafe linkat(AT_FDCWD, source, directory, name, AT_SYMLINK_FOLLOW)) }
    }

    /// Gives a file a further name, which must be free.
    func link(_ name: String, as newName: String) throws(PhotoError) {
        let directory = descriptor.raw
        try attempt("publish a file") { Int(unsafe linkat(directory, name, directory, newName, 0)) }
    }

    /// Moves a file to another name in this or another folder of the same file system, where it replaces what has the
    /// name.
    func rename(_ name: String, to newName: String, in folder: Folder) throws(PhotoError) {
        let source = descriptor.raw
        let target = folder.descriptor.raw
        try attempt("rename a file") { Int(unsafe renameat(source, name, target, newName)) }
    }

    /// What the file system knows of a file; nil if there is none by that name.
    func status(of name: String) throws(PhotoError) -> FileStatus? {
        let directory = descriptor.raw
        var status = stat()
        do throws(PhotoError) {
            try attempt("examine a file") { Int(unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)) }
        } catch .storage(ENOENT, _) {
            return nil
        }
        return FileStatus(status)
    }

    /// Removes a file.
    func remove(_ name: String) throws(PhotoError) {
        let directory = descriptor.raw
        try attempt("remove a file") { Int(unsafe unlinkat(directory, name, 0)) }
    }

    /// A further descriptor of this directory.
    func reopened() throws(PhotoError) -> FileDescriptor {
        let directory = descriptor.raw
        let raw = try attempt("open the folder") {
            Int(unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        }
        return FileDescriptor(owning: CInt(raw))
    }

    /// Waits until all names are on the disk.
    func synchronize() throws(PhotoError) { try descriptor.synchronize() }
}

/// `O_TMPFILE`, which the C library shows only to GNU sources: the bit itself, and `O_DIRECTORY` beside it so that
/// kernels without it fail.
private let temporaryFileFlag: CInt = 0o20_000_000 | O_DIRECTORY
