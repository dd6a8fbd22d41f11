/// Where the worker takes connections from the web server.
public enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// A unix socket at a path.
    case unix(path: String)
    /// A TCP socket: host name or literal address, and port.
    case tcp(host: String, port: UInt16)
    /// A descriptor that systemd (`LISTEN_FDS`) or a spawner (descriptor 0) opened.
    case inherited

    /// Bytes of the longest path: `sockaddr_un` holds 108, the closing NUL among them.
    static let longestPath = 107

    /// Reads `unix:/PATH`, `HOST:PORT` or `[IPV6]:PORT`.
    ///
    /// A path has to be absolute: where a relative one leads depends on where the process was started, which nginx does
    /// not know.
    ///
    /// - Throws: `FastCGIError.pathTooLong` for a path that does not fit, `.malformedAddress` for anything else.
    public init(_ text: String) throws(FastCGIError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw .malformedAddress(text)
            }
            guard path.utf8.count <= Self.longestPath else {
                throw .pathTooLong(path)
            }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .malformedAddress(text)
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .malformedAddress(text)
        }
        guard !host.isEmpty else {
            throw .malformedAddress(text)
        }
        self = .tcp(host: String(host), port: port)
    }

    /// The address as it is given on the command line.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .inherited: "the inherited socket"
        }
    }
}
