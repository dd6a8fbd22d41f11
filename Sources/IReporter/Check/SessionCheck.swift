internal import Glibc
internal import MariaDB
internal import PHPSemantics

/// Whether sessions can be kept, and where they are files, those of PHP be read.
struct SessionCheck {
    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func findings() -> [Finding] {
        switch settings.sessionStore {
        case .files(let directory): files(in: directory)
        case .database: table()
        case nil: []
        }
    }

    private func table() -> [Finding] {
        var configuration = settings.database
        configuration.outagePatience = .zero
        let table = SessionTable(Database(configuration), name: configuration.database)
        do throws(DatabaseError) {
            if let problem = try table.problem() {
                return [.problem(problem.problem, problem.cure)]
            }
            let engine = try table.engine()
            let found = "table sessions: \(engine), for \(settings.sessionLifetime) s"
            guard engine.lowercased() == "innodb" else {
                let cure = "\(engine) locks the whole table for each log-in; ALTER TABLE sessions ENGINE=InnoDB"
                return [.advice(found, cure)]
            }
            return [.fine(found), .fine("the account may read and change it")]
        } catch {
            return [DatabaseCheck.failure(error, settings)]
        }
    }

    private func files(in path: String) -> [Finding] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return [
                .problem(
                    "\(path): \(errnoText())",
                    "create it: install -d -m 0700 -o \(SystemUser.current) \(path); "
                        + "or set IREPORTER_SESSION_STORE to PHP's session.save_path"
                )
            ]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [.problem("\(path) is not a folder", "IREPORTER_SESSION_STORE must be files: and a folder")]
        }
        if let problem = attempt(path) {
            return [problem]
        }
        var findings = [Finding.fine("\(path): sessions can be written, for \(settings.sessionLifetime) s")]
        let mode = status.st_mode & 0o7777
        if mode & 0o004 != 0 {
            findings.append(
                .problem(
                    "everyone may list \(path), and a session's name is all it takes to be its user",
                    "chmod o-r \(path)"
                )
            )
        }
        if let foreign = foreignOwner(path) {
            findings.append(
                .problem(
                    "sessions in \(path) belong to \(foreign), whose sessions the worker cannot read",
                    "run the worker as \(foreign), as long as PHP is in use"
                )
            )
        }
        return findings
    }

    /// Writes a session file and removes it.
    private func attempt(_ path: String) -> Finding? {
        let file = "\(path)/sess_\(String(decoding: SessionID.random().bytes, as: UTF8.self))"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let (code, reason) = (errno, errnoText())
            let isEmpty = FolderContents.are(in: path) { _ in false }
            let cure =
                switch code {
                case EACCES where isEmpty, EPERM where isEmpty:
                    "run the worker as PHP's user, or let its user write there: chown \(SystemUser.current) \(path)"
                case EACCES, EPERM:
                    "run the worker as PHP's user, or take a folder of its own: install -d -m 0700 -o "
                        + "\(SystemUser.current) /var/lib/ireporter/sessions and "
                        + "IREPORTER_SESSION_STORE=files:/var/lib/ireporter/sessions"
                case EROFS: "under systemd, add it to ReadWritePaths="
                case ENOSPC, EDQUOT: "free some space on its disk"
                default: "look at the folder and its disk"
                }
            return .problem("no session can be written in \(path): \(reason)", cure)
        }
        close(descriptor)
        unsafe unlink(file)
        return nil
    }

    /// The owner of a session there who is neither this process's user nor root.
    private func foreignOwner(_ path: String) -> String? {
        // Debian's folder cannot be listed; nothing is known of it then.
        guard let listing = unsafe opendir(path) else {
            return nil
        }
        defer { unsafe closedir(listing) }
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            var status = stat()
            guard name.starts(with: Array("sess_".utf8)),
                unsafe lstat("\(path)/\(String(decoding: name, as: UTF8.self))", &status) == 0,
                status.st_uid != geteuid(), status.st_uid != 0
            else {
                continue
            }
            return unsafe getpwuid(status.st_uid).map { unsafe String(cString: $0.pointee.pw_name) }
                ?? "\(status.st_uid)"
        }
        return nil
    }
}
