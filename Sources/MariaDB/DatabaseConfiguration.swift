/// Where the database is, who we are there, and how long we wait for it.
public struct DatabaseConfiguration: Sendable {
    /// How much of the way to the server is protected.
    public enum Encryption: Sendable, Equatable {
        /// Plain text: for a unix socket or a network that is trusted.
        case none
        /// TLS is demanded, but anybody's certificate is taken.
        case unverified
        /// TLS is demanded, the certificate must lead to one of this PEM file and name the host.
        case verified(authorityFile: String)

        /// Whether the server has proved who it is.
        var isVerified: Bool {
            if case .verified = self { true } else { false }
        }
    }

    /// Host name or address; as in PHP, `nil` and `localhost` mean the unix socket.
    public var host: String?
    /// TCP port; `nil` is the option file's, else MariaDB's 3306.
    public var port: UInt16?
    /// Path of the server's unix socket; `nil` is the option file's, else the client library's.
    public var socketPath: String?
    /// Account name; `nil` is the option file's.
    public var user: String?
    /// The account's password, never part of an error; `nil` is the option file's, else empty.
    public var password: String? {
        get { secret.text }
        set { secret.text = newValue }
    }
    /// The database that unqualified table names are looked up in.
    public var database: String?

    /// A MariaDB option file that supplies what is `nil` above; read at every connect.
    public var optionFile: String?
    /// A group of `optionFile` read besides `[client]`, `[client-server]` and `[client-mariadb]`.
    public var optionGroup: String?

    /// The connection's character set; `nil` is the one of the server's greeting, which PHP's driver takes.
    public var characterSet: String?
    /// Whether and how TLS is used.
    public var encryption: Encryption = .none

    /// Seconds until a connection attempt is given up.
    public var connectTimeout: UInt32 = 5
    /// Seconds without a byte from the server until a statement is given up.
    public var readTimeout: UInt32 = 20
    /// Seconds in which nothing could be sent until a statement is given up.
    public var writeTimeout: UInt32 = 10
    /// How long statements wait for a server that just went away, counted from its first refusal.
    ///
    /// Within it a restart costs no request; after it each statement makes one attempt and fails at once.
    public var outagePatience: Duration = .seconds(3)
    /// A TCP connection unused for longer is replaced before it is used: something between may have forgotten it.
    public var maximumIdleTime: Duration = .seconds(60)

    /// Keeps the password out of everything that prints or dumps this value.
    private var secret = Secret()

    /// The server at its default address, with no account.
    public init() {}
}

/// Text that is not shown.
private struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
    var text: String?

    var description: String { text == nil ? "nil" : "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
