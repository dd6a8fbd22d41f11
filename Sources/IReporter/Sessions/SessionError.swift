public import MariaDB

/// Why sessions cannot be kept.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    /// The folder is missing or not writable: its path, and the system's reason.
    case unusableDirectory(String, String)
    /// A session could not be written: the system's reason.
    case notWritten(String)
    /// The database did not do its part.
    case database(DatabaseError)

    /// One sentence for the log.
    public var description: String {
        switch self {
        case .unusableDirectory(let path, let reason): "cannot keep sessions in \(path): \(reason)"
        case .notWritten(let reason): "cannot write a session: \(reason)"
        case .database(let error): "the database does not tell or keep the session: \(error)"
        }
    }
}
