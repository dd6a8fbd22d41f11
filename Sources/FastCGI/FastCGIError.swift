/// Why the worker cannot listen, or cannot serve.
public enum FastCGIError: Error, Equatable, CustomStringConvertible {
    /// The text given to listen on is neither `unix:/PATH` nor `HOST:PORT`.
    case malformedAddress(String)
    /// The path given to listen on does not fit into a unix socket's address.
    case pathTooLong(String)
    /// Another process listens on the address.
    case addressInUse(String)
    /// Something that is not a socket stands at the path.
    case notASocket(String)
    /// The named group does not exist.
    case unknownGroup(String)
    /// Neither systemd nor descriptor 0 gave a listening socket.
    case nothingInherited
    /// A system call failed: what was attempted, and `errno`'s text.
    case system(String, String)

    /// One sentence for the administrator.
    public var description: String {
        switch self {
        case .malformedAddress(let text):
            "cannot listen on '\(text)': expected unix:/PATH or HOST:PORT"
        case .pathTooLong(let path):
            "cannot listen on '\(path)': the path is too long, \(path.utf8.count) bytes, of which a socket's may have "
                + "\(ListenAddress.longestPath)"
        case .addressInUse(let address):
            "another process already listens on \(address)"
        case .notASocket(let path):
            "\(path) exists and is not a socket; it is left alone"
        case .unknownGroup(let name):
            "there is no group named '\(name)'"
        case .nothingInherited:
            "no listening socket was handed over: give --listen, or start from systemd or spawn-fcgi"
        case .system(let attempt, let reason):
            "cannot \(attempt): \(reason)"
        }
    }
}
