internal import FastCGI
internal import Glibc
internal import MariaDB
internal import PHPSemantics
internal import Photos

/// The table of environment variables: one row for each, with the reader that checks its value.
extension Settings {
    typealias Reader = @Sendable (inout Settings, String) throws(SettingsError.Reason) -> Void

    static let variables: [String: Reader] = [
        "LISTEN": { settings, value throws(SettingsError.Reason) in
            settings.listen = try address(value)
        },
        "SOCKET_MODE": { settings, value throws(SettingsError.Reason) in
            settings.socketMode = try permissionBits(value)
        },
        "SOCKET_GROUP": { $0.socketGroup = $1 },
        "WORKERS": { settings, value throws(SettingsError.Reason) in
            settings.server.workers = try number(value, in: 1...1024)
        },
        "HEAVY_WORKERS": { settings, value throws(SettingsError.Reason) in
            settings.server.heavyWorkers = try number(value, in: 1...256)
        },
        "STOP_SECONDS": { settings, value throws(SettingsError.Reason) in
            settings.stopSeconds = try number(value, in: 0...3600)
        },
        "REQUEST_SECONDS": { settings, value throws(SettingsError.Reason) in
            settings.server.requestLimit = try number(value, in: 0...3600)
        },
        "STATUS_LISTEN": { settings, value throws(SettingsError.Reason) in
            settings.operation.statusListen = try address(value)
        },
        "SLOW_MS": { settings, value throws(SettingsError.Reason) in
            settings.operation.slowMilliseconds = try number(value, in: 0...3_600_000)
        },
        "LOG_TIME": { settings, value throws(SettingsError.Reason) in
            settings.operation.logsTime = try switchValue(value)
        },
        "ACCESS_LOG": { settings, value throws(SettingsError.Reason) in
            switch value {
            case "off": settings.operation.accessLog = .none
            case "stderr": settings.operation.accessLog = .standardError
            case _ where value.hasPrefix("/"): settings.operation.accessLog = .file(value)
            default: throw .init(text: "is '\(value)': expected off, stderr or an absolute path")
            }
        },
        "ACCESS_FORMAT": { settings, value throws(SettingsError.Reason) in
            guard let format = OperationSettings.AccessFormat(rawValue: value) else {
                throw .init(text: "is '\(value)': expected combined or json")
            }
            settings.operation.accessFormat = format
        },
        "DB_HOST": { $0.database.host = $1 },
        "DB_PORT": { settings, value throws(SettingsError.Reason) in
            settings.database.port = UInt16(try number(value, in: 1...65_535))
        },
        "DB_SOCKET": { $0.database.socketPath = $1 },
        "DB_USER": { $0.database.user = $1 },
        "DB_PASSWORD": { $0.database.password = $1 },
        "DB_PASSWORD_FILE": { settings, value throws(SettingsError.Reason) in
            settings.database.password = try firstLine(ofFile: value)
        },
        "DB_NAME": { $0.database.database = $1 },
        "DB_OPTION_FILE": { $0.database.optionFile = $1 },
        "DB_CHARSET": { settings, value throws(SettingsError.Reason) in
            guard !value.isEmpty, value.utf8.allSatisfy({ isWordByte($0) }) else {
                throw .init(text: "is '\(value)': expected a character set such as latin1 or utf8mb4")
            }
            settings.database.characterSet = value
        },
        "DB_TLS_CA": { $0.database.encryption = .verified(authorityFile: $1) },
        "STREAM_CACHE": { settings, value throws(SettingsError.Reason) in
            settings.keepsStream = try switchValue(value)
        },
        "UPLOAD_MODE": { settings, value throws(SettingsError.Reason) in
            settings.uploadMode = try permissionBits(value)
        },
        "UPLOAD_GROUP": { settings, value throws(SettingsError.Reason) in
            guard let number = groupNumber(value) else {
                throw .init(text: "is '\(value)', which is no group of this machine")
            }
            settings.uploadGroup = number
        },
        "UPLOAD_DIR": { $0.uploadDirectory = $1 },
        "SESSION_STORE": { settings, value throws(SettingsError.Reason) in
            switch value {
            case "database": settings.sessionStore = .database
            case _ where value.hasPrefix("files:/"):
                settings.sessionStore = .files(directory: String(value.dropFirst(6)))
            default: throw .init(text: "is '\(value)': expected files:DIR with an absolute folder, or database")
            }
        },
        "SESSION_LIFETIME": { settings, value throws(SettingsError.Reason) in
            settings.sessionLifetime = try number(value, in: 1...31_536_000)
        },
        "SESSION_COOKIE_MAX_AGE": { settings, value throws(SettingsError.Reason) in
            // 0 is none, as in PHP's session.cookie_lifetime.
            let seconds = try number(value, in: 0...31_536_000)
            settings.sessionCookieMaxAge = seconds == 0 ? nil : seconds
        },
        "MAX_BODY_BYTES": { settings, value throws(SettingsError.Reason) in
            settings.form.bodyBytes = try number(value, in: 1024...1_073_741_824)
            settings.photo.bytes = settings.form.bodyBytes
        },
        "MAX_PIXELS": { settings, value throws(SettingsError.Reason) in
            settings.photo.pixels = try number(value, in: 1...1_000_000_000)
        },
        "THUMB_SIDE": { settings, value throws(SettingsError.Reason) in
            settings.thumbnail.side = try number(value, in: ThumbnailOptions.sides)
        },
        "THUMB_FIT": { settings, value throws(SettingsError.Reason) in
            switch value {
            case "crop": settings.thumbnail.fit = .crop
            case "stretch": settings.thumbnail.fit = .stretch
            default: throw .init(text: "is '\(value)': expected crop or stretch")
            }
        },
        "STRIP_LOCATION": { settings, value throws(SettingsError.Reason) in
            settings.stripLocation = try switchValue(value)
        },
        "PASSWORDS": { settings, value throws(SettingsError.Reason) in
            switch value {
            case "scrypt": settings.storesPlainPasswords = false
            case "plain": settings.storesPlainPasswords = true
            default: throw .init(text: "is '\(value)': expected scrypt or plain")
            }
        },
        "SCRYPT": { settings, value throws(SettingsError.Reason) in
            guard let parameters = ScryptParameters(value) else {
                throw .init(text: "is '\(value)': expected for instance ln=14,r=8,p=5, within 256 MiB of memory")
            }
            settings.scrypt = parameters
        },
        "API_KEYS": { settings, value throws(SettingsError.Reason) in
            settings.apiKeys = value.split(separator: ",").map { Array($0.utf8) }
            guard !settings.apiKeys.isEmpty else {
                // An empty list would let everyone in, which is hardly what somebody who sets it means.
                throw .init(text: "holds no key (expected keys separated by commas; unset it to ask for none)")
            }
        },
        "API_KEY_REASON": { $0.apiKeyReason = $1 },
        "LOGIN_ATTEMPTS": { settings, value throws(SettingsError.Reason) in
            settings.attempts.perAddress = try number(value, in: 0...1_000_000)
        },
        "ACCOUNT_ATTEMPTS": { settings, value throws(SettingsError.Reason) in
            settings.attempts.perAccount = try number(value, in: 1...1_000_000)
        },
        "ATTEMPT_SECONDS": { settings, value throws(SettingsError.Reason) in
            settings.attempts.refillSeconds = try number(value, in: 1...86_400)
        },
    ]

    /// The known variable whose name is nearest to `name`, if one is near enough to be what was meant.
    static func nearest(to name: String) -> String? {
        let candidates = variables.keys.map { (key: prefix + $0, distance: editDistance(prefix + $0, name)) }
        guard let best = candidates.min(by: { ($0.distance, $0.key) < ($1.distance, $1.key) }), best.distance <= 4
        else {
            return nil
        }
        return best.key
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) throws(SettingsError.Reason) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw .init(
                text: "is '\(text)': expected a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    private static func address(_ text: String) throws(SettingsError.Reason) -> ListenAddress {
        do throws(FastCGIError) {
            return try ListenAddress(text)
        } catch {
            throw .init(text: "is malformed: \(error)")
        }
    }

    private static func permissionBits(_ text: String) throws(SettingsError.Reason) -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw .init(text: "is '\(text)': expected permission bits in octal, such as 0660")
        }
        return mode
    }

    private static func switchValue(_ text: String) throws(SettingsError.Reason) -> Bool {
        switch text {
        case "on", "1", "true", "yes": return true
        case "off", "0", "false", "no": return false
        default: throw .init(text: "is '\(text)': expected on or off")
        }
    }

    private static func firstLine(ofFile path: String) throws(SettingsError.Reason) -> String {
        let limit = 65_536
        errno = 0
        guard let file = FileDescriptor.openForReading(path), let bytes = file.readAll(limit: limit) else {
            let reason = errno == 0 ? "it is longer than \(limit) bytes" : errnoText()
            throw .init(text: "names \(path), which \(SystemUser.current) cannot read: \(reason)")
        }
        return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }

    /// Levenshtein's distance: how many letters to change, add or leave out.
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (line, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let cost = min(diagonal + (byte == right[column] ? 0 : 1), row[column] + 1, row[column + 1] + 1)
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[right.count]
    }
}
