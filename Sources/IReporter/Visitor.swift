internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// Who sent a request: the session its cookie names, if any, the address, and how it reached the web server.
struct Visitor: Sendable {
    /// The client's address, as the web server tells it.
    let address: [UInt8]
    /// What is noted of the request.
    let trace: RequestTrace
    private let sessions: SessionStore
    private let cookieMaxAge: Int?
    private let sessionID: SessionID?
    private let isSecure: Bool

    /// Takes from a request's head what is known of its sender.
    ///
    /// The session is not read before it is needed.
    ///
    /// - Parameter cookieMaxAge: seconds for which clients keep the session's cookie; nil is until they end.
    init(_ request: borrowing Request, sessions: SessionStore, cookieMaxAge: Int?, trace: RequestTrace) {
        self.sessions = sessions
        self.cookieMaxAge = cookieMaxAge
        self.trace = trace
        address = trace.address
        // A client may send several header fields. PHP reads the last one alone; the others are asked where that has none.
        sessionID = request.parameters("HTTP_COOKIE").reversed().lazy
            .compactMap { Cookies.value(of: SessionCookie.name, in: $0) }.first
            .flatMap { SessionID($0) }
        isSecure = request.parameter("HTTPS").map { !$0.isEmpty && $0 != Array("off".utf8) } ?? false
    }

    // Time that the database takes is counted as the database's, wherever it is used.

    /// The user who is logged in, read from the session; nil for nobody.
    ///
    /// - Throws: `SessionError.database` if that cannot be told.
    func loggedInUser(_ database: Database) throws(SessionError) -> Int64? {
        guard let sessionID else {
            return nil
        }
        switch sessions {
        case .files(let store): return trace.measure(.session) { store.read(sessionID) }?.loggedInUser()
        case .database(let store): return try store.read(sessionID, database)?.loggedInUser()
        }
    }

    /// Counts this request as use of the session.
    func keepSession() {
        guard let sessionID else {
            return
        }
        switch sessions {
        case .files(let store): trace.measure(.session) { store.touch(sessionID) }
        case .database(let store): store.touch(sessionID)
        }
    }

    /// Whether reading the session waits for nothing but, rarely, a lock that PHP holds on it.
    var readsSessionPromptly: Bool {
        if case .files = sessions { true } else { sessionID == nil }
    }

    /// Whether beginning a session waits neither for the database nor for a lock that PHP may hold on the present one;
    /// those who log in together would wait for each other.
    var beginsSessionPromptly: Bool {
        if case .files = sessions { sessionID == nil } else { false }
    }

    /// Begins a session for an account, in place of the one there was.
    func logIn(_ account: Account, _ database: Database) throws(SessionError) -> SessionCookie {
        let id: SessionID
        switch sessions {
        case .files(let store):
            id = try trace.measure(.session) { () throws(SessionError) in
                try store.begin(user: account.id, replacing: sessionID)
            }
        case .database(let store):
            id = try store.begin(user: account.id, replacing: sessionID, database)
        }
        return SessionCookie(id: id, isSecure: isSecure, maxAge: cookieMaxAge)
    }

    /// Ends the session.
    ///
    /// - Throws: `SessionError.database` if it has not ended.
    func endSession(_ database: Database) throws(SessionError) {
        guard let sessionID else {
            return
        }
        switch sessions {
        case .files(let store): trace.measure(.session) { store.destroy(sessionID) }
        case .database(let store): try store.destroy(sessionID, database)
        }
    }
}
