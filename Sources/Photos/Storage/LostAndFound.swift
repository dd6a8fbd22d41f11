internal import Glibc

/// The folder inside the upload folder which keeps files that belong to no row.
///
/// Nothing in it is served or deleted.
struct LostAndFound {
    /// The folder's name, which is that of the folder where file systems keep what they found.
    static let name = "lost+found"

    private let folder: Folder

    /// Opens the folder inside `uploads`, and creates it, closed to the web server, if it is missing.
    init(in uploads: Folder) throws(PhotoError) {
        folder = try uploads.subfolder(Self.name, creating: 0o700)
    }

    /// Moves a file here under its own name or, if that is taken, one like `7.jpg.2`.
    ///
    /// The new name is reserved by an empty file, which the move replaces; so nothing here is ever overwritten, and
    /// files of other owners can be moved too, which must not be linked.
    func take(_ name: String, from uploads: Folder) throws(PhotoError) {
        let target = try reserve(name)
        do throws(PhotoError) {
            try uploads.rename(name, to: target, in: folder)
        } catch {
            try? folder.remove(target)
            throw error
        }
        try folder.synchronize()
    }

    /// Finds a name that is free, and takes it.
    private func reserve(_ name: String) throws(PhotoError) -> String {
        var target = name
        var copies = 1
        while true {
            do throws(PhotoError) {
                _ = try folder.create(target)
                return target
            } catch .storage(EEXIST, _) {
                copies += 1
                target = "\(name).\(copies)"
            }
        }
    }
}
