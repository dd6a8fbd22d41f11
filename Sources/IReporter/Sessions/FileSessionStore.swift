internal import Glibc
internal import PHPSemantics

/// Sessions where PHP keeps them: one file `sess_<id>` each in one folder, in PHP's format and under PHP's locks.
///
/// PHP and the worker may use one folder at the same time. A file counts only if PHP would have written it: a
/// regular file with one name, owned by this process's user or root. An id that has no file is unknown and is
/// never adopted; whoever logs in gets a new one.
public struct FileSessionStore: Sendable {
    private let directory: String
    private let lifetime: Int
    /// A session's time is set anew only when it is this old, so that reading does not mean writing.
    private let refreshAfter: Int
    private let sweep: SessionSweep

    /// Seconds from one sweep to the next, as Debian's job has it; a file that is left counts no longer anyway.
    static let sweepInterval = 1800
    /// Seconds from the start to the first sweep.
    static let firstSweep = 300
    /// Time that a sweep takes of each second, and after a quarter of an hour, since files may be made faster than that.
    private static let sweepTime = (first: Duration.milliseconds(10), later: Duration.milliseconds(100))
    private static let sizeLimit = 1 << 20
    private static let lockAttempts = 1000
    private static let lockPause: UInt32 = 5_000

    /// Uses a folder.
    ///
    /// - Parameters:
    ///   - directory: PHP's `session.save_path`; must exist.
    ///   - lifetime: seconds after which an unused session has ended (PHP's `session.gc_maxlifetime`).
    /// - Throws: `SessionError.unusableDirectory` if files cannot be made there.
    public init(directory: String, lifetime: Int) throws(SessionError) {
        // Debian's folder may be written to but not listed, so listing it proves nothing.
        guard unsafe access(directory, W_OK | X_OK) == 0 else {
            throw .unusableDirectory(directory, errnoText())
        }
        self.directory = directory
        self.lifetime = lifetime
        refreshAfter = min(60, lifetime / 8)
        sweep = SessionSweep(directory: directory, lifetime: lifetime)
    }

    /// A session's data; nil if there is no such session, or no longer.
    func read(_ id: SessionID) -> SessionData? {
        guard let file = FileDescriptor(unsafe open(path(of: id), Self.readFlags)), lock(file, LOCK_SH),
            let age = acceptableAge(of: file), let bytes = file.readAll(limit: Self.sizeLimit)
        else {
            return nil
        }
        if age >= refreshAfter {
            futimens(file.number, nil)
        }
        return SessionData(decoding: bytes)
    }

    /// Keeps a session from ending, without reading it.
    func touch(_ id: SessionID) {
        var status = stat()
        let path = path(of: id)
        guard unsafe lstat(path, &status) == 0, let age = acceptableAge(status), age >= refreshAfter else {
            return
        }
        unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// Begins a session in which `user` is logged in.
    ///
    /// What else the client's previous session held comes along; the previous session itself ends, so that
    /// whoever knew its id knows nothing of the new one.
    ///
    /// - Returns: the new session's id.
    /// - Throws: `SessionError.notWritten`.
    func begin(user: Int64, replacing previous: SessionID?) throws(SessionError) -> SessionID {
        guard let previous, let old = FileDescriptor(unsafe open(path(of: previous), Self.readFlags)) else {
            return try create(SessionData(), user)
        }
        // Waited for once: what it held comes along, and it ends, before PHP can use it again.
        let isOurs = lock(old, LOCK_SH) && acceptableAge(of: old) != nil
        let data = isOurs ? old.readAll(limit: Self.sizeLimit).map { SessionData(decoding: $0) } : nil
        let id = try create(data ?? SessionData(), user)
        end(previous, old)
        return id
    }

    /// Ends a session.
    ///
    /// A request of PHP's that holds its lock is waited for. If that takes too long the session ends all the same:
    /// what PHP still writes then goes to a file without a name.
    func destroy(_ id: SessionID) {
        guard let file = FileDescriptor(unsafe open(path(of: id), Self.readFlags)) else {
            return
        }
        _ = lock(file, LOCK_EX)
        end(id, file)
    }

    /// Makes the file of a new session in which `user` is logged in.
    private func create(_ data: SessionData, _ user: Int64) throws(SessionError) -> SessionID {
        var data = data
        data.set("IdUser", to: user.decimal)
        let id = SessionID.random()
        guard let file = FileDescriptor(unsafe open(path(of: id), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        else {
            throw .notWritten(errnoText())
        }
        // Without PHP's lock: nobody knows the id yet.
        guard file.write(data.encoded()) else {
            let reason = errnoText()
            unsafe unlink(path(of: id))
            throw .notWritten(reason)
        }
        return id
    }

    /// Removes a session's file, if it still is one.
    private func end(_ id: SessionID, _ file: borrowing FileDescriptor) {
        if acceptableAge(of: file) != nil {
            unsafe unlink(path(of: id))
        }
    }

    /// Removes files of sessions that have ended, a few at a time.
    ///
    /// - Parameter second: counts the calls, of which there is one a second, all by one thread.
    func keepHouse(second: Int) {
        if second % Self.sweepInterval == Self.firstSweep {
            sweep.begin()
        }
        sweep.advance(for: sweep.steps < 900 ? Self.sweepTime.first : Self.sweepTime.later)
    }

    // MARK: Files

    // Without O_NONBLOCK a planted named pipe would hold the thread.
    private static let readFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    private func path(of id: SessionID) -> String {
        "\(directory)/sess_\(String(decoding: id.bytes, as: UTF8.self))"
    }

    /// Takes PHP's lock on a file.
    ///
    /// PHP holds it as long as a request runs, so patience has an end.
    private func lock(_ file: borrowing FileDescriptor, _ kind: Int32) -> Bool {
        for _ in 0..<Self.lockAttempts {
            if flock(file.number, kind | LOCK_NB) == 0 {
                return true
            }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                return false
            }
            usleep(Self.lockPause)
        }
        return false
    }

    private func acceptableAge(of file: borrowing FileDescriptor) -> Int? {
        var status = stat()
        return unsafe fstat(file.number, &status) == 0 ? acceptableAge(status) : nil
    }

    /// Seconds since a session file was used; nil if it is no session file, was removed, or has ended.
    private func acceptableAge(_ status: stat) -> Int? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid() || status.st_uid == 0
        else {
            return nil
        }
        let age = status.secondsSinceUse
        return age <= lifetime ? age : nil
    }
}

extension stat {
    /// Seconds since a session's file was used.
    var secondsSinceUse: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - st_mtim.tv_sec
    }
}

/// The text of `errno`.
func errnoText() -> String {
    unsafe String(cString: strerror(errno))
}
