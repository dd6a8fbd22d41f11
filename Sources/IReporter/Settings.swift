public import FastCGI
public import MariaDB
public import PHPSemantics
public import Photos

/// Everything an administrator can set: the environment variables whose names start with `IREPORTER_`.
public struct Settings: Sendable {
    /// Where to listen; `IREPORTER_LISTEN`.
    public var listen = ListenAddress.inherited
    /// Permission bits of a unix socket; `IREPORTER_SOCKET_MODE`, octal.
    public var socketMode: UInt32 = 0o660
    /// Group of a unix socket; `IREPORTER_SOCKET_GROUP`.
    public var socketGroup: String?
    /// Threads, queues and time; `IREPORTER_WORKERS`, `IREPORTER_HEAVY_WORKERS`, `IREPORTER_REQUEST_SECONDS`.
    public var server: ServerOptions
    /// Seconds that running requests are given when the worker stops; `IREPORTER_STOP_SECONDS`.
    public var stopSeconds = 10
    /// The database; `IREPORTER_DB_…`.
    public var database = DatabaseConfiguration()
    /// Limits of form bodies; `IREPORTER_MAX_BODY_BYTES`.
    public var form = FormLimits()
    /// Whether the list of the newest photos is kept and shared between requests; `IREPORTER_STREAM_CACHE`.
    public var keepsStream = true
    /// The folder of photos; `IREPORTER_UPLOAD_DIR`.
    public var uploadDirectory = ""
    /// Permission bits of published photos; `IREPORTER_UPLOAD_MODE`, octal.
    public var uploadMode: UInt32 = 0o644
    /// Number of the group that published photos get, from its name; `IREPORTER_UPLOAD_GROUP`.
    public var uploadGroup: UInt32?
    /// Limits of photos; `IREPORTER_MAX_PIXELS`.
    public var photo = PhotoLimits()
    /// How thumbnails are made; `IREPORTER_THUMB_SIDE`, `IREPORTER_THUMB_FIT`.
    public var thumbnail = ThumbnailOptions()
    /// Whether positions are removed from photos; `IREPORTER_STRIP_LOCATION`.
    public var stripLocation = true
    /// Whether passwords are stored as they are, for PHP to read; `IREPORTER_PASSWORDS`.
    public var storesPlainPasswords = false
    /// The work that hashing a password takes; `IREPORTER_SCRYPT`.
    public var scrypt = ScryptParameters.recommended
    /// Keys of which every request must bring one, if there are any; `IREPORTER_API_KEYS`.
    public var apiKeys: [[UInt8]] = []
    /// What clients without a key are told; `IREPORTER_API_KEY_REASON`.
    public var apiKeyReason = "Please update the app."
    /// How many wrong passwords are allowed; `IREPORTER_LOGIN_ATTEMPTS`, `IREPORTER_ACCOUNT_ATTEMPTS`,
    /// `IREPORTER_ATTEMPT_SECONDS`.
    var attempts = AttemptLimiter.Limits()
    /// Where sessions are kept; `IREPORTER_SESSION_STORE`, `files:DIR` or `database`.
    public var sessionStore: SessionLocation?
    /// Seconds of idleness after which a session has ended; `IREPORTER_SESSION_LIFETIME`.
    public var sessionLifetime = 1440
    /// Seconds for which clients keep the session's cookie, nil until they end; `IREPORTER_SESSION_COOKIE_MAX_AGE`.
    public var sessionCookieMaxAge: Int?

    /// Status, logs and limits of time; `IREPORTER_STATUS_LISTEN`, `IREPORTER_SLOW_MS`, `IREPORTER_ACCESS_…`.
    public var operation = OperationSettings()

    /// Reads settings from an environment.
    ///
    /// - Parameters:
    ///   - environment: all variables; those without the prefix are ignored.
    ///   - processors: the machine's cores, from which thread counts follow where none is set.
    /// - Throws: `SettingsError`, for the first variable that is unknown, malformed, or contradicts another.
    public init(environment: [String: String], processors: Int) throws(SettingsError) {
        server = ServerOptions(processors: processors)
        try Self.requireOnePassword(environment)
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(Self.prefix) {
            guard let apply = Self.variables[String(name.dropFirst(Self.prefix.count))] else {
                throw SettingsError(
                    name,
                    "is not a setting",
                    hint: Self.nearest(to: name).map { "did you mean \($0)?" }
                )
            }
            // Said for all of them, since the values that any text would do for are the ones that fail much later.
            guard value.utf8.last != 13 else {
                throw SettingsError(
                    name,
                    "ends in a carriage return, as the lines of a file with Windows line ends do",
                    hint: #"sed -i 's/\r$//' FILE takes them away"#
                )
            }
            do throws(SettingsError.Reason) {
                try apply(&self, value)
            } catch {
                throw SettingsError(name, error.text)
            }
        }
    }

    /// Checks that there is one password at most; an empty one, as in the sample file, is none.
    private static func requireOnePassword(_ environment: [String: String]) throws(SettingsError) {
        let (password, file) = (prefix + "DB_PASSWORD", prefix + "DB_PASSWORD_FILE")
        if !environment[password, default: ""].isEmpty && environment[file] != nil {
            throw SettingsError(password, "and \(file) are both set", hint: "take one of them away")
        }
    }

    /// Checks that what has no default is set.
    ///
    /// - Throws: `SettingsError`, naming the variable.
    public func requireComplete() throws(SettingsError) {
        try requireUploadDirectory()
        if sessionStore == nil {
            throw SettingsError(
                Self.prefix + "SESSION_STORE",
                "is not set",
                hint: "files:DIR, for instance files:/var/lib/php/sessions, or database"
            )
        }
        try requireDatabase()
    }

    /// Checks that there is a database to work on.
    ///
    /// - Throws: `SettingsError`, naming the variable.
    public func requireDatabase() throws(SettingsError) {
        if database.database == nil && database.optionFile == nil {
            throw SettingsError(
                Self.prefix + "DB_NAME",
                "is not set",
                hint: "the database of the tables login and photos"
            )
        }
    }

    /// Checks that the folder of photos is set.
    ///
    /// - Throws: `SettingsError`, naming the variable.
    public func requireUploadDirectory() throws(SettingsError) {
        if uploadDirectory.isEmpty {
            throw SettingsError(Self.prefix + "UPLOAD_DIR", "is not set", hint: "the folder that holds the photos")
        }
    }

    /// Makes what checks photos and makes thumbnails as configured; one for a process, since it bounds the memory that
    /// all decoding takes together.
    public func makePreparer() -> PhotoPreparer {
        PhotoPreparer(limits: photo, thumbnail: thumbnail, stripLocation: stripLocation)
    }

    static let prefix = "IREPORTER_"
}

/// A place for sessions.
public enum SessionLocation: Sendable, Equatable {
    /// A folder, in which PHP may keep its own.
    case files(directory: String)
    /// The table `sessions`.
    case database
}

/// A setting that cannot be used.
public struct SettingsError: Error, Equatable, CustomStringConvertible {
    /// One line for the administrator: the variable, what is wrong, and what would be right; control characters escaped.
    public let description: String

    /// What a variable's reader throws; the variable's name is added where it is known.
    struct Reason: Error {
        let text: String
    }

    init(_ name: String, _ problem: String, hint: String? = nil) {
        description = Log.escaped("\(name) \(problem)" + (hint.map { " (\($0))" } ?? ""))
    }
}
