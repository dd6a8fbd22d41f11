internal import Glibc
internal import PHPSemantics

/// Removes the files of sessions that have ended from a folder, if that is the worker's own.
///
/// Debian's folder is cleaned by its own job, and PHP cleans what is PHP's. There may be hundreds of thousands of files,
/// and several workers that look after them, so a sweep goes on for a moment only and is resumed later.
@safe final class SessionSweep: @unchecked Sendable {
    // @unchecked: one thread at a time uses it, the one that keeps house.
    private let directory: String
    private let lifetime: Int
    /// The folder as far as it has been read; nil between two sweeps.
    private var listing: OpaquePointer?
    /// How often the present sweep has been resumed.
    private(set) var steps = 0

    private static let prefix = Array("sess_".utf8)
    /// Files from one look at the clock to the next.
    private static let stride = 64

    /// Makes a sweep that has not begun.
    ///
    /// - Parameters:
    ///   - directory: where the files are.
    ///   - lifetime: seconds after which an unused session has ended.
    init(directory: String, lifetime: Int) {
        self.directory = directory
        self.lifetime = lifetime
    }

    deinit {
        end()
    }

    /// Begins, unless a sweep is under way or the folder is another's.
    func begin() {
        guard unsafe listing == nil else {
            return
        }
        unsafe listing = opendir(directory)
        steps = 0
        var status = stat()
        if let listing = unsafe listing,
            unsafe fstat(dirfd(listing), &status) != 0 || status.st_uid != geteuid() || status.st_mode & S_ISVTX != 0
        {
            end()
        }
    }

    /// Goes on for about `time`, at least by some files.
    func advance(for time: Duration) {
        guard let listing = unsafe listing else {
            return
        }
        steps += 1
        let start = ContinuousClock.now
        repeat {
            for _ in 0..<Self.stride {
                guard let entry = unsafe readdir(listing) else {
                    end()
                    return
                }
                unsafe removeIfEnded(entry, in: dirfd(listing))
            }
        } while ContinuousClock.now - start < time
    }

    private func removeIfEnded(_ entry: UnsafeMutablePointer<dirent>, in folder: Int32) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
        guard name.starts(with: Self.prefix), SessionID(name.dropFirst(Self.prefix.count)) != nil else {
            return
        }
        var status = stat()
        unsafe (name + [0]).withUnsafeBytes { bytes in
            let path = unsafe bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            if unsafe fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.secondsSinceUse > lifetime
            {
                unsafe unlinkat(folder, path, 0)
            }
        }
    }

    private func end() {
        if let listing = unsafe listing {
            unsafe closedir(listing)
        }
        unsafe listing = nil
    }
}
