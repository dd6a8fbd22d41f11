internal import Glibc

extension Folder {
    /// Calls `use` with every name in the folder but `.` and `..`, in no particular order.
    ///
    /// Names are read as they are needed, so a folder of any size takes little memory. Files that come or go
    /// meanwhile may or may not be seen.
    ///
    /// - Throws: `PhotoError.storage` if the folder cannot be read, or what `use` throws.
    func forEachName(_ use: (String) throws(PhotoError) -> Void) throws(PhotoError) {
        // A descriptor of its own, since the place in the listing belongs to the open file.
        let own = try reopened()
        guard let stream = unsafe fdopendir(own.take()) else {
            throw .storage(errno: errno, operation: "list the folder")
        }
        defer { unsafe _ = closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .storage(errno: errno, operation: "list the folder") }
                return
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { try use(name) }
        }
    }
}
