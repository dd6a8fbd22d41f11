internal import FastCGI
internal import MariaDB

/// Where sessions are kept; a request asks it once at most.
enum SessionStore: Sendable {
    /// In files, which PHP may use at the same time.
    case files(FileSessionStore)
    /// In the database, which workers on several hosts share.
    case database(DatabaseSessionStore)

    /// Opens what the settings name.
    init(_ settings: Settings) throws(SessionError) {
        switch settings.sessionStore {
        case .files(let directory):
            self = .files(try FileSessionStore(directory: directory, lifetime: settings.sessionLifetime))
        case .database:
            self = .database(DatabaseSessionStore(lifetime: settings.sessionLifetime))
        case nil:
            throw .unusableDirectory("", "IREPORTER_SESSION_STORE is not set")
        }
    }

    /// Does what is to be done beside the requests.
    ///
    /// - Parameter second: counts the calls, of which there is one a second.
    func keepHouse(_ database: Database, second: Int) {
        switch self {
        case .files(let store): store.keepHouse(second: second)
        case .database(let store): store.keepHouse(database, second: second)
        }
    }
}
