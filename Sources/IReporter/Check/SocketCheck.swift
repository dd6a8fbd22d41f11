internal import FastCGI
internal import Glibc

/// Whether the worker can listen, and nginx connect.
struct SocketCheck {
    private let settings: Settings
    private let webUser: SystemUser?

    init(_ settings: Settings, webUser: SystemUser?) {
        self.settings = settings
        self.webUser = webUser
    }

    func findings() -> [Finding] {
        switch settings.listen {
        case .inherited:
            return [
                .advice(
                    "there is no IREPORTER_LISTEN, so systemd or a spawner must hand a socket over",
                    "none is needed under the units of deploy/systemd; else \(ListenCheck.requests(settings).proposal)"
                )
            ]
        case .tcp(let host, let port):
            if let problem = ListenCheck.requests(settings).problem {
                return [problem]
            }
            guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
                return [
                    .problem(
                        "\(host):\(port) can be reached by others, who can then act as nginx",
                        "listen on 127.0.0.1 or on a unix socket"
                    )
                ]
            }
            return [.fine("\(settings.listen)")]
        case .unix(let path):
            return unix(path)
        }
    }

    private func unix(_ path: String) -> [Finding] {
        if let problem = ListenCheck.requests(settings).problem ?? ListenCheck.groupProblem(settings) {
            return [problem]
        }
        var group = settings.socketGroup.flatMap(groupNumber) ?? getegid()
        var owner = geteuid()
        var mode = settings.socketMode
        var state = "nobody listens there yet"
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
            state = "it is there"
        }
        let octal = "0" + String(mode, radix: 8)
        var findings = [Finding.fine("\(settings.listen), mode \(octal); \(state)")]
        if mode & 0o002 != 0 {
            findings.append(
                .problem(
                    "with mode \(octal) every user of this machine can act as nginx",
                    "IREPORTER_SOCKET_MODE=0660, and IREPORTER_SOCKET_GROUP a group that nginx's user is in"
                )
            )
        }
        guard let webUser else {
            return findings
        }
        if let barrier = webUser.barrier(onTheWayTo: parentFolder(of: path)) {
            findings.append(
                .problem(
                    "nginx's user \(webUser.name) cannot enter \(barrier), so it cannot reach the socket",
                    "chmod o+x \(barrier)"
                )
            )
        } else if !webUser.may(2, owner: owner, group: group, mode: mode) {
            findings.append(
                .problem(
                    "nginx's user \(webUser.name) may not connect to \(path) (mode \(octal))",
                    "IREPORTER_SOCKET_MODE=0660 and IREPORTER_SOCKET_GROUP=\(webUser.name), then restart the worker"
                )
            )
        } else {
            findings.append(.fine("nginx's user \(webUser.name) may connect"))
        }
        return findings
    }
}
