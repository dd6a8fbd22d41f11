/// The directory URL of a backend: `http://host[:port]/path/`.
public struct ContractURL: Sendable, Equatable, CustomStringConvertible {
    /// Why a text is no such URL.
    public enum Invalid: Error, Equatable, CustomStringConvertible {
        /// The scheme is `https`.
        case encrypted
        /// It does not start with `http://`.
        case noScheme
        /// There is no host, or it is not written as a host is.
        case noHost
        /// The port is not a number between 1 and 65535.
        case badPort
        /// It has a query, a fragment, user information or characters that must be encoded.
        case notADirectory

        /// A sentence for the person who typed the URL.
        public var description: String {
            switch self {
            case .encrypted:
                "https is not spoken here: the suite chooses every byte itself, so point it at the plain listener"
            case .noScheme: "the URL must start with http://"
            case .noHost: "the URL has no host"
            case .badPort: "the URL's port is not a number between 1 and 65535"
            case .notADirectory: "give the backend's directory URL, such as http://127.0.0.1:8080/iReporter/"
            }
        }
    }

    /// A name or an address, without the brackets of an IPv6 address.
    public let host: String
    /// 1 to 65535.
    public let port: UInt16
    /// Starts and ends with a slash.
    public let path: String

    /// Reads a URL; a missing final slash is added.
    public init(_ text: String) throws(Invalid) {
        if text.lowercased().hasPrefix("https://") { throw .encrypted }
        guard text.lowercased().hasPrefix("http://") else { throw .noScheme }
        let rest = text.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains(where: { "?#@\"<>\\".contains($0) })
        else { throw .notADirectory }
        let hostText: Substring
        let portText: Substring?
        if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
            hostText = authority[authority.index(after: authority.startIndex)..<close]
            let tail = authority[authority.index(after: close)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { throw .noHost }
            portText = tail.isEmpty ? nil : tail.dropFirst()
        } else {
            let pieces = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard pieces.count <= 2, let first = pieces.first else { throw .noHost }
            hostText = first
            portText = pieces.count == 2 ? pieces[1] : nil
        }
        guard !hostText.isEmpty else { throw .noHost }
        host = String(hostText)
        if let portText {
            guard let number = UInt16(portText), number > 0 else { throw .badPort }
            port = number
        } else {
            port = 80
        }
        self.path = path.isEmpty ? "/" : path.hasSuffix("/") ? String(path) : String(path) + "/"
    }

    /// The `Host` header's value.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? name : "\(name):\(port)"
    }

    /// The URL as it would be typed.
    public var description: String {
        "http://\(authority)\(path)"
    }

    /// Whether the host is this machine by its very writing: `localhost`, `127.…`, `::1`.
    public var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }
}
