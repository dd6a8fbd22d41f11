internal import Glibc

/// A file in the upload folder that nobody sees yet; unless it is published, it vanishes with its owner.
///
/// Where the file system can, the file has no name at all and even a killed process leaves nothing behind. Elsewhere
/// its name starts with `.ireporter-` and a lock tells it from the remains of a dead process.
///
/// A temporary file belongs to one request, and so to one thread.
public final class TemporaryFile {
    /// Bytes written so far.
    public private(set) var count = 0

    let folder: Folder
    private let file: FileDescriptor
    /// The file's name, for want of a nameless one; nil too once it is published.
    private var name: String?

    /// Creates the file in `folder`, with the mode and group it will be published with.
    ///
    /// - Parameter named: Whether it gets a name even if it needs none.
    init(in folder: Folder, mode: UInt32, group: UInt32?, named: Bool = false) throws(PhotoError) {
        self.folder = folder
        if !named, let nameless = try folder.createNameless() {
            file = nameless
        } else {
            let name = TemporaryName.next()
            file = try folder.create(name)
            self.name = name
            let raw = file.raw
            try attempt("lock a file") { Int(flock(raw, LOCK_EX | LOCK_NB)) }
        }
        let raw = file.raw
        if let group {
            try attempt("set the group of a file") { Int(fchown(raw, uid_t.max, group)) }
        }
        // Set apart from creation, where the process's mask would interfere.
        try attempt("set the mode of a file") { Int(fchmod(raw, mode)) }
    }

    deinit {
        if let name { try? folder.remove(name) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: `PhotoError.storage`, for example when the disk is full.
    public func write(_ bytes: Span<UInt8>) throws(PhotoError) {
        try file.write(bytes)
        count += bytes.count
    }

    /// Appends `bytes`.
    func write(_ bytes: [UInt8]) throws(PhotoError) { try write(bytes.span) }

    /// Replaces bytes that were written before.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(PhotoError) {
        try file.overwrite(bytes, at: offset)
    }

    /// All bytes written so far.
    func contents() throws(PhotoError) -> [UInt8] {
        let bytes = try file.read(count)
        guard bytes.count == count else { throw .storage(errno: EIO, operation: "read a file") }
        return bytes
    }

    /// Waits until the contents are on the disk.
    func synchronize() throws(PhotoError) { try file.synchronize() }

    /// Puts the file, which must have been created with a name, in the place of the file `publicName`, if there is one.
    func replace(_ publicName: String) throws(PhotoError) {
        guard let name else { preconditionFailure("a file without a name cannot replace another") }
        try folder.rename(name, to: publicName, in: folder)
        self.name = nil
    }

    /// Makes the file visible under a name that must be free.
    ///
    /// - Throws: `PhotoError.storage` with `EEXIST` if the name is taken.
    func publish(as publicName: String) throws(PhotoError) {
        if let name {
            try folder.link(name, as: publicName)
            // From here on the file is published; the other name is left to the clean-up if it cannot be removed.
            self.name = nil
            try? folder.remove(name)
        } else {
            try folder.link(file, as: publicName)
        }
    }
}
