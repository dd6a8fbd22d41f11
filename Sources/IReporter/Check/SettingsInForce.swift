internal import FastCGI
internal import MariaDB
internal import PHPSemantics
internal import Photos

extension Settings {
    /// Variables whose values are never printed.
    private static let secrets: Set<String> = ["DB_PASSWORD", "API_KEYS"]

    /// Every variable with the value that is in force.
    ///
    /// - Parameter environment: where values were set.
    /// - Returns: name, value with control characters escaped, and whether it was set; sorted by name.
    public func inForce(_ environment: [String: String]) -> [(name: String, value: String, isSet: Bool)] {
        Self.variables.keys.sorted().map { key in
            let name = Self.prefix + key
            guard let value = environment[name] else {
                return (name, defaults[key] ?? "", false)
            }
            return (name, Self.secrets.contains(key) ? "********" : Log.escaped(value), true)
        }
    }

    /// What holds where nothing is set.
    private var defaults: [String: String] {
        [
            "LISTEN": "\(listen)",
            "SOCKET_MODE": Self.octal(socketMode),
            "WORKERS": "\(server.workers)",
            "HEAVY_WORKERS": "\(server.heavyWorkers)",
            "REQUEST_SECONDS": "\(server.requestLimit)",
            "STOP_SECONDS": "\(stopSeconds)",
            "UPLOAD_MODE": Self.octal(uploadMode),
            "DB_SOCKET": database.host == nil ? "the client library's" : "unused",
            "DB_HOST": "localhost, over the socket",
            "DB_PORT": "3306",
            "DB_CHARSET": "the server's",
            "MAX_BODY_BYTES": "\(form.bodyBytes)",
            "MAX_PIXELS": "\(photo.pixels)",
            "THUMB_SIDE": "\(thumbnail.side)",
            "THUMB_FIT": "\(thumbnail.fit)",
            "STRIP_LOCATION": stripLocation ? "on" : "off",
            "PASSWORDS": storesPlainPasswords ? "plain" : "scrypt",
            "SCRYPT": "\(scrypt)",
            "LOGIN_ATTEMPTS": "\(attempts.perAddress)",
            "ACCOUNT_ATTEMPTS": "\(attempts.perAccount)",
            "ATTEMPT_SECONDS": "\(attempts.refillSeconds)",
            "SESSION_LIFETIME": "\(sessionLifetime)",
            "SESSION_COOKIE_MAX_AGE": "0",
            "STREAM_CACHE": "on",
            "API_KEYS": "none",
            "API_KEY_REASON": apiKeyReason,
            "SLOW_MS": "\(operation.slowMilliseconds)",
            "LOG_TIME": "off",
            "ACCESS_LOG": "off",
            "ACCESS_FORMAT": operation.accessFormat.rawValue,
            "STATUS_LISTEN": "nowhere",
        ]
    }

    /// Permission bits as settings spell them.
    static func octal(_ mode: UInt32) -> String {
        "0" + String(mode, radix: 8)
    }
}
