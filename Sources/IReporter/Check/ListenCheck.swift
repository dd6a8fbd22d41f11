internal import FastCGI
internal import Glibc

/// Whether the worker's user can listen on an address.
///
/// That somebody listens there already is not looked at: it may be the worker itself.
struct ListenCheck {
    private let address: ListenAddress
    /// The variable that names the address.
    private let setting: String
    /// The file's name in the folder that cures propose.
    private let file: String

    /// Where the web server's requests come in.
    static func requests(_ settings: Settings) -> ListenCheck {
        ListenCheck(address: settings.listen, setting: "IREPORTER_LISTEN", file: "ireporter.sock")
    }

    /// Where the status is asked for.
    static func status(_ address: ListenAddress) -> ListenCheck {
        ListenCheck(address: address, setting: "IREPORTER_STATUS_LISTEN", file: "status.sock")
    }

    /// Why nothing can listen there; nil if something can.
    var problem: Finding? {
        switch address {
        case .inherited: nil
        case .unix(let path): unixProblem(path)
        case .tcp(let host, let port): tcpProblem(host, port)
        }
    }

    /// A setting that needs nothing but a folder of the worker's own.
    var proposal: String { "\(setting)=unix:/run/ireporter/\(file)" }

    /// Why a unix socket cannot be given to the group that is set for it; nil if it can, or none is set.
    static func groupProblem(_ settings: Settings) -> Finding? {
        guard let name = settings.socketGroup else {
            return nil
        }
        guard let number = groupNumber(name) else {
            return .problem("there is no group \(name)", "correct IREPORTER_SOCKET_GROUP, or groupadd \(name)")
        }
        return GroupCheck(number, setting: "IREPORTER_SOCKET_GROUP").problem
    }

    private func unixProblem(_ path: String) -> Finding? {
        let folder = parentFolder(of: path)
        // Read as well: two workers that start at once take turns by the open folder. With the slash a file is none.
        guard unsafe access(folder + "/", R_OK | W_OK | X_OK) == 0 else {
            let (code, reason) = (errno, errnoText())
            let user = SystemUser.current
            let cure =
                switch code {
                case ENOENT: "create it: install -d -o \(user) \(folder); under systemd, RuntimeDirectory= does"
                case EACCES, EPERM:
                    "take a folder of its own: install -d -o \(user) /run/ireporter and \(proposal); "
                        + "under systemd, RuntimeDirectory=ireporter makes it"
                default: "choose another \(setting), such as unix:/run/ireporter/\(file)"
                }
            return .problem("\(folder), where the socket is to be: \(reason)", cure)
        }
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            return .problem("\(path) is there and is no socket", "move it away, or choose another \(setting)")
        }
        return nil
    }

    /// Tries to bind a socket as the worker will; without `listen` nobody notices.
    private func tcpProblem(_ host: String, _ port: UInt16) -> Finding? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else {
            return .problem(
                "the address of \(host) cannot be found: \(unsafe String(cString: gai_strerror(code)))",
                "correct \(setting), or put the name into /etc/hosts"
            )
        }
        defer { unsafe freeaddrinfo(found) }
        guard let socket = FileDescriptor(unsafe socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0))
        else {
            return .problem("no socket can be made for \(address): \(errnoText())", "choose another \(setting)")
        }
        var on: Int32 = 1
        unsafe setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if unsafe bind(socket.number, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 || errno == EADDRINUSE {
            return nil
        }
        let (reason, isForbidden) = (errnoText(), errno == EACCES)
        return .problem(
            "\(SystemUser.current) cannot listen on \(address): \(reason)",
            isForbidden
                ? "a port from 1024 on, or \(proposal)" : "an address of this machine such as 127.0.0.1, or \(proposal)"
        )
    }
}
