internal import Glibc

/// Whether the access log can be written; its file is not made.
struct AccessLogCheck {
    private let settings: OperationSettings

    init(_ settings: OperationSettings) {
        self.settings = settings
    }

    func findings() -> [Finding] {
        guard case .file(let path) = settings.accessLog else {
            return []
        }
        // Without waiting for the reader of a pipe.
        if FileDescriptor(unsafe open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC)) != nil {
            return [.fine("\(path): lines can be appended")]
        }
        let code = errno
        let folder = parentFolder(of: path)
        let mayMakeFiles = unsafe access(folder, W_OK | X_OK) == 0
        if code == ENOENT, mayMakeFiles {
            return [.fine("\(path): it will be made")]
        }
        let reason = code == ENOENT ? errno : code
        let problem = "\(path) cannot be opened for appending"
        let user = SystemUser.current
        switch reason {
        case ENOENT:
            return [.problem("\(problem): there is no folder \(folder)", "create it: install -d -o \(user) \(folder)")]
        case EACCES where mayMakeFiles, EPERM where mayMakeFiles:
            return [.problem("\(problem): \(text(reason))", "let the worker's user write to it: chown \(user) \(path)")]
        case EACCES, EPERM:
            return [
                .problem(
                    "\(problem): \(text(reason))",
                    "take a folder of its own: install -d -o \(user) /var/log/ireporter and "
                        + "IREPORTER_ACCESS_LOG=/var/log/ireporter/access.log"
                )
            ]
        case EROFS:
            return [.problem("\(problem): \(text(reason))", "under systemd, add its folder to ReadWritePaths=")]
        case EISDIR:
            return [.problem("\(problem): \(text(reason))", "IREPORTER_ACCESS_LOG must name a file")]
        default:
            return [.problem("\(problem): \(text(reason))", "choose another IREPORTER_ACCESS_LOG")]
        }
    }

    private func text(_ code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
