/// Where the worker takes connections from the web server.
public enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// A unix socket at a path.
    case unix(path: String)
    /// A TCP socket: host name or literal address, and port.
    case tcp(host: String, port: UInt16)
    /// A descriptor that systemd (`LISTEN_FDS`) or a spawner (descriptor 0) opened.
    case inherited

    /// Reads `unix:PATH`, `HOST:PORT` or `[IPV6]:PORT`.
    ///
    /// - Throws: `FastCGIError.malformedAddress` for anything else.
    public init(_ text: String) throws(FastCGIError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sockaddr_un holds 108 bytes, the closing NUL among them.
            guard !path.isEmpty, path.utf8.count <= 107, !path.utf8.contains(0) else {
                throw .malformedAddress(text)
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
