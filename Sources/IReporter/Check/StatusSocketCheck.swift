internal import FastCGI
internal import Glibc

/// Whether the worker can listen where the status is asked for.
struct StatusSocketCheck {
    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func findings() -> [Finding] {
        guard let address = settings.operation.statusListen else {
            return []
        }
        let check = ListenCheck.status(address)
        if address == settings.listen {
            return [
                .problem("IREPORTER_STATUS_LISTEN is the address of IREPORTER_LISTEN", "another one: \(check.proposal)")
            ]
        }
        var problem = check.problem
        // With a unix socket for requests it has been said there.
        if problem == nil, case .unix = address, case .tcp = settings.listen {
            problem = ListenCheck.groupProblem(settings)
        }
        guard let problem else {
            return [.fine("\(address)")]
        }
        // Whoever hands one socket over usually does so with the other, which is then root's and in root's folder.
        if settings.listen == .inherited, case .unix(let path) = address {
            return Self.isSocket(path)
                ? [.fine("\(address); it is there")]
                : [
                    .advice(
                        problem.text,
                        "none is needed where systemd hands this socket over as well: ireporter-status.socket"
                    )
                ]
        }
        return [problem]
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
