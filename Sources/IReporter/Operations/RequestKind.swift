/// What a request asked for, as the statistics sort it.
enum RequestKind: Int, CaseIterable {
    case register
    case login
    case upload
    case stream
    case logout
    /// `jsonsignup.php`.
    case pairSignUp
    /// `jsonlogin2.php`.
    case pairLogIn
    /// No command, or an unknown one.
    case other

    /// The kind of a request for an endpoint, with this field `command`.
    init(_ endpoint: Endpoint, command: [UInt8]?) {
        switch endpoint {
        case .pairSignUp: self = .pairSignUp
        case .pairLogIn: self = .pairLogIn
        case .commands:
            switch command.map({ String(decoding: $0, as: UTF8.self) }) {
            case "register": self = .register
            case "login": self = .login
            case "upload": self = .upload
            case "stream": self = .stream
            case "logout": self = .logout
            default: self = .other
            }
        }
    }

    /// Its name in logs and statistics.
    var name: String {
        switch self {
        case .pairSignUp: "sign-up"
        case .pairLogIn: "log-in"
        default: String(describing: self)
        }
    }
}

/// How a request ended, as the statistics sort it.
enum RequestOutcome: Int, CaseIterable {
    /// It got what it asked for.
    case ok
    /// It was answered with an error that is the client's: wrong password, not logged in, no photo.
    case refused
    /// It was a log-in beyond the limits of attempts.
    case throttled
    /// It was answered with an error that is ours: database, disk.
    case failed
    /// Too much waited before it.
    case declined
    /// It did not arrive whole, or its client left before its turn came.
    case abandoned

    /// Its name in logs and statistics.
    var name: String { String(describing: self) }
}

/// Why an upload was not stored.
enum UploadRefusal: Int, CaseIterable {
    case notLoggedIn
    case noFile
    case malformed
    case tooLarge
    case tooManyPixels
    case notAnImage
    case broken
    case storage
    case database

    /// Its name in statistics.
    var name: String {
        switch self {
        case .notLoggedIn: "not_logged_in"
        case .noFile: "no_file"
        case .malformed: "malformed"
        case .tooLarge: "too_large"
        case .tooManyPixels: "too_many_pixels"
        case .notAnImage: "not_an_image"
        case .broken: "broken"
        case .storage: "storage"
        case .database: "database"
        }
    }
}
