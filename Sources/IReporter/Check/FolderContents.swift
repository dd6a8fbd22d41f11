internal import Glibc

/// What is in a folder that the worker's user may not write to, as far as a cure depends on it: the owner of a folder
/// that others use as well is not to be changed.
enum FolderContents {
    /// Whether everything in a folder has a name that is expected there; false for a folder that cannot be listed.
    static func are(in path: String, only isExpected: (String) -> Bool) -> Bool {
        guard let listing = unsafe opendir(path) else {
            return false
        }
        defer { unsafe closedir(listing) }
        while let entry = unsafe readdir(listing) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            guard name == "." || name == ".." || isExpected(name) else {
                return false
            }
        }
        return true
    }

    /// Whether it is a name that the worker itself gives in an upload folder.
    static func isUpload(_ name: String) -> Bool {
        let digits = name.prefix { ("0"..."9").contains($0) }
        return ["lost+found", "lost-photos"].contains(name) || name.hasPrefix(".ireporter-")
            || !digits.isEmpty && [".jpg", "-thumb.jpg"].contains(name.dropFirst(digits.count))
    }
}

/// The folder that an absolute path is in.
func parentFolder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
}
