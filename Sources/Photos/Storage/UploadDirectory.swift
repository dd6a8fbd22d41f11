internal import Glibc

/// The folder from which the web server serves photos.
///
/// Any number of processes may use one folder: names are only ever taken when free, and the numbers they are made of
/// are unique in the database. The folder is opened anew for every upload, so one that was replaced is noticed.
public struct UploadDirectory: Sendable {
    /// The folder's path.
    public let path: String
    /// Permission bits of published files.
    public let mode: UInt32
    /// Number of the group that published files get; nil for the process's own.
    public let group: UInt32?

    /// Whether temporary files get names even where they need none, as on file systems that cannot do without.
    var namesTemporaries = false

    /// Describes an existing folder.
    ///
    /// - Throws: `PhotoError.storage` if it cannot be opened.
    public init(path: String, mode: UInt32 = 0o644, group: UInt32? = nil) throws(PhotoError) {
        self.path = path
        self.mode = mode
        self.group = group
        _ = try Folder(path: path)
    }

    /// Creates the file into which an upload is received.
    ///
    /// - Throws: `PhotoError.storage` if the folder is gone, full or read-only.
    public func makeTemporary() throws(PhotoError) -> TemporaryFile {
        try makeTemporary(in: Folder(path: path))
    }

    /// Creates a further file in a folder that is open already.
    func makeTemporary(in folder: Folder) throws(PhotoError) -> TemporaryFile {
        try TemporaryFile(in: folder, mode: mode, group: group, named: namesTemporaries)
    }

    /// Gives a photo and its thumbnail the names that belong to `id`, and waits until these are on the disk.
    ///
    /// In a transaction, this comes between the insertion of the row and its commit, so that no row can be seen before
    /// its photo. The thumbnail comes first, so a photo that can be seen has one. A file that has one of the names already
    /// cannot belong to a row, since `id` is the number of a row just inserted (an `AUTO_INCREMENT` counter can
    /// start over after a restart or a restored backup): it is moved to `lost+found`, or `lost-photos` where that is
    /// closed to the process, and never overwritten.
    ///
    /// - Parameter setAside: Told of each file that was moved so, even if publishing then fails: its new path, seen
    ///   from the upload folder.
    /// - Throws: `PhotoError.storage`; then neither name exists.
    @discardableResult
    public func publish(
        _ photo: consuming PreparedPhoto,
        as id: UInt64,
        setAside: (String) -> Void = { _ in }
    ) throws(PhotoError) -> PublishedPhoto {
        let folder = photo.photo.folder
        let published = PublishedPhoto(id: id, folder: folder)
        try place(photo.thumbnail, as: PhotoName.thumbnail(id), in: folder, setAside)
        do throws(PhotoError) {
            try place(photo.photo, as: PhotoName.photo(id), in: folder, setAside)
        } catch {
            try? folder.remove(PhotoName.thumbnail(id))
            throw error
        }
        do throws(PhotoError) {
            try folder.synchronize()
            guard folder.isInPlace else {
                throw .storage(errno: ESTALE, operation: "keep its place while a photo was published")
            }
        } catch {
            try? withdraw(published)
            throw error
        }
        return published
    }

    /// Takes back a photo's names, for when its row could not be kept.
    ///
    /// - Throws: `PhotoError.storage` if a name could not be removed; the other one is then removed all the same.
    public func withdraw(_ published: PublishedPhoto) throws(PhotoError) {
        let folder = published.folder
        var failure: PhotoError?
        for name in [PhotoName.photo(published.id), PhotoName.thumbnail(published.id)] {
            do throws(PhotoError) { try folder.remove(name) } catch { failure = error }
        }
        try folder.synchronize()
        if let failure { throw failure }
    }

    /// Tries everything that storing a photo takes, from writing to publishing, and leaves nothing.
    ///
    /// - Throws: `PhotoError.storage` with the first thing that does not work.
    public func verify() throws(PhotoError) {
        let file = try makeTemporary()
        try file.write(Array("test".utf8))
        try file.synchronize()
        let name = TemporaryName.next()
        try file.publish(as: name)
        try file.folder.remove(name)
        try file.folder.synchronize()
    }

    /// Publishes one file, moving aside what has its name.
    private func place(
        _ file: TemporaryFile,
        as name: String,
        in folder: Folder,
        _ setAside: (String) -> Void
    ) throws(PhotoError) {
        do throws(PhotoError) {
            try file.publish(as: name)
        } catch .storage(EEXIST, _) {
            let place = try LostAndFound(uploads: folder).take(name)
            setAside("\(place.folder)/\(place.name)")
            try file.publish(as: name)
        }
    }
}
