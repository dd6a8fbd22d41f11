internal import CMariaDB
internal import Glibc

/// Opens a connection with all timeouts set.
///
/// - Throws: the client library's error, or the server's.
func openConnection(
    _ configuration: DatabaseConfiguration,
    characterSet: String
) throws(ServerError) -> UnsafeMutablePointer<MYSQL> {
    guard clientLibraryIsReady, let raw = unsafe mysql_init(nil) else {
        throw ServerError(code: 2008, message: "The client library has no memory")
    }
    do throws(ServerError) {
        try unsafe setOptions(of: raw, configuration, characterSet: characterSet)
        let password = configuration.password ?? (configuration.optionFile == nil ? "" : nil)
        let connected = unsafe mysql_real_connect(
            raw,
            configuration.host,
            configuration.user,
            password,
            configuration.database,
            CUnsignedInt(configuration.port ?? 0),
            configuration.socketPath,
            0
        )
        guard unsafe connected != nil else { throw unsafe ServerError(of: raw) }
        // The library goes on in plain text if the server offers nothing else, unless it verifies the server.
        if configuration.encryption != .none, unsafe mysql_get_ssl_cipher(raw) == nil {
            throw ServerError(code: 2026, message: "TLS is required, but the server does not offer it")
        }
        // An option file may have turned this on; repeating is decided here alone.
        var no: my_bool = 0
        unsafe mysql_options(raw, MYSQL_OPT_RECONNECT, &no)
        // A held connection must not sit in a transaction that nobody began.
        if unsafe raw.pointee.server_status & CUnsignedInt(SERVER_STATUS_AUTOCOMMIT) == 0 {
            guard unsafe mysql_autocommit(raw, 1) == 0 else { throw unsafe ServerError(of: raw) }
        }
        return unsafe raw
    } catch {
        unsafe mysql_close(raw)
        throw error
    }
}

/// The character set in the server's greeting, or `nil` if it cannot be used by a client.
func announcedCharacterSet(of raw: UnsafeMutablePointer<MYSQL>) -> String? {
    guard let found = unsafe mariadb_get_charset_by_nr(raw.pointee.server_language) else { return nil }
    // UCS-2, UTF-16 and UTF-32 cannot carry SQL text.
    guard unsafe found.pointee.char_minlen == 1 else { return nil }
    return unsafe String(cString: found.pointee.csname)
}

/// Initializes the client library once, before any thread uses it.
private let clientLibraryIsReady = mysql_server_init(0, nil, nil) == 0

/// The ways to prove a password without showing it, which leaves out `dialog` and `mysql_clear_password`.
///
/// An account of the operating system (`unix_socket`) goes by the first.
private let plugins = "mysql_native_password,client_ed25519,caching_sha2_password,sha256_password"

/// Sets everything that must be known before connecting.
private func setOptions(
    of raw: UnsafeMutablePointer<MYSQL>,
    _ configuration: DatabaseConfiguration,
    characterSet: String
) throws(ServerError) {
    var connectTimeout = CUnsignedInt(max(1, configuration.connectTimeout))
    var readTimeout = CUnsignedInt(max(1, configuration.readTimeout))
    var writeTimeout = CUnsignedInt(max(1, configuration.writeTimeout))
    unsafe mysql_options(raw, MYSQL_OPT_CONNECT_TIMEOUT, &connectTimeout)
    unsafe mysql_options(raw, MYSQL_OPT_READ_TIMEOUT, &readTimeout)
    unsafe mysql_options(raw, MYSQL_OPT_WRITE_TIMEOUT, &writeTimeout)
    unsafe mysql_options(raw, MYSQL_SET_CHARSET_NAME, characterSet)
    // Whoever answers cannot ask for our files, and only a server we know can ask for the password in clear.
    var no: CUnsignedInt = 0
    unsafe mysql_options(raw, MYSQL_OPT_LOCAL_INFILE, &no)
    if !configuration.encryption.isVerified {
        unsafe mysql_options(raw, MARIADB_OPT_RESTRICTED_AUTH, plugins)
    }
    var yes: my_bool = 1
    unsafe mysql_options(raw, MYSQL_REPORT_DATA_TRUNCATION, &yes)

    if let optionFile = configuration.optionFile {
        // The library passes over a file it cannot read, and would then connect as nobody.
        guard unsafe access(optionFile, R_OK) == 0 else {
            throw ServerError(code: 5005, message: "The option file \(optionFile) cannot be read")
        }
        unsafe mysql_options(raw, MYSQL_READ_DEFAULT_FILE, optionFile)
        if let group = configuration.optionGroup {
            unsafe mysql_options(raw, MYSQL_READ_DEFAULT_GROUP, group)
        }
    }
    if configuration.encryption != .none {
        ignoreBrokenPipes()
        unsafe mysql_options(raw, MYSQL_OPT_SSL_ENFORCE, &yes)
    }
    if case .verified(let authorityFile) = configuration.encryption {
        unsafe mysql_options(raw, MYSQL_OPT_SSL_CA, authorityFile)
        unsafe mysql_options(raw, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes)
    }
}

/// Keeps a server that hangs up from ending the process: OpenSSL writes without `MSG_NOSIGNAL`.
///
/// Only where the program has not decided itself what SIGPIPE does.
private func ignoreBrokenPipes() {
    var current = sigaction()
    guard unsafe sigaction(SIGPIPE, nil, &current) == 0, unsafe current.__sigaction_handler.sa_handler == nil else {
        return
    }
    signal(SIGPIPE, SIG_IGN)
}
