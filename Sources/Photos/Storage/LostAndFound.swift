internal import Glibc

/// The folder inside the upload folder which keeps files that belong to no row.
///
/// Nothing in it is served or deleted.
struct LostAndFound {
    /// The names that the folder can have.
    ///
    /// The first is that of the folder where file systems keep what they found. In the root of a volume it is the file
    /// system's own and closed to all but root; then the second is taken.
    static let names = ["lost+found", "lost-photos"]

    /// The upload folder.
    let uploads: Folder

    /// Where a file is now: one of `names`, and the name that it has there.
    struct Place {
        var folder: String
        var name: String
    }

    /// Moves a file here under its own name or, if that is taken, one like `7.jpg.2`.
    ///
    /// The folder is created, closed to the web server, if it is missing. The new name is reserved by an empty file,
    /// which the move replaces; so nothing here is ever overwritten, and files of other owners can be moved too, which
    /// must not be linked.
    @discardableResult
    func take(_ name: String) throws(PhotoError) -> Place {
        let (folder, place) = try reserve(name)
        do throws(PhotoError) {
            try uploads.rename(name, to: place.name, in: folder)
        } catch {
            try? folder.remove(place.name)
            throw error
        }
        try folder.synchronize()
        return place
    }

    /// Takes a free name in the first of the folders that lets us.
    private func reserve(_ name: String) throws(PhotoError) -> (Folder, Place) {
        do throws(PhotoError) {
            return try reserve(name, in: Self.names[0])
        } catch .storage(EACCES, _), .storage(EPERM, _) {
            return try reserve(name, in: Self.names[1])
        }
    }

    /// Finds a name that is free, and takes it.
    private func reserve(_ name: String, in folderName: String) throws(PhotoError) -> (Folder, Place) {
        let folder = try uploads.subfolder(folderName, creating: 0o700)
        var target = name
        var copies = 1
        while true {
            do throws(PhotoError) {
                _ = try folder.create(target)
                return (folder, Place(folder: folderName, name: target))
            } catch .storage(EEXIST, _) {
                copies += 1
                target = "\(name).\(copies)"
            }
        }
    }
}
