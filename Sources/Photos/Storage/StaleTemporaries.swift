internal import Glibc

extension UploadDirectory {
    /// Seconds for which a temporary file is left alone whatever it looks like: at its creation there is a moment
    /// before it is locked.
    private static let grace = 60

    /// Removes temporary files which processes that no longer exist have left.
    ///
    /// There are none where the file system makes nameless files. Safe while other processes use the folder: whoever
    /// still needs a file holds its lock.
    ///
    /// - Returns: How many were removed.
    /// - Throws: `PhotoError.storage` if the folder cannot be read or a file cannot be removed.
    @discardableResult
    public func removeStaleTemporaries() throws(PhotoError) -> Int {
        let folder = try Folder(path: path)
        var removed = 0
        try folder.forEachName { name throws(PhotoError) in
            guard name.hasPrefix(TemporaryName.prefix), Self.isStale(name, in: folder) else { return }
            try folder.remove(name)
            removed += 1
        }
        return removed
    }

    /// Whether a temporary file belongs to no running process.
    static func isStale(_ name: String, in folder: Folder) -> Bool {
        guard let file = try? folder.open(name), let status = try? file.status() else { return false }
        guard status.isRegular, time(nil) - status.modified > grace else { return false }
        // Gone with the descriptor; in the meantime nobody who would want it still uses this name.
        return flock(file.raw, LOCK_EX | LOCK_NB) == 0
    }
}
