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
    /// The file has both names for a moment, so at no time none.
    func take(_ name: String, from uploads: Folder) throws(PhotoError) {
        var target = name
        var copies = 1
        while true {
            do throws(PhotoError) {
                try uploads.link(name, as: target, in: folder)
                break
            } catch .storage(EEXIST, _) {
                copies += 1
                target = "\(name).\(copies)"
            }
        }
        try folder.synchronize()
        try uploads.remove(name)
    }
}
