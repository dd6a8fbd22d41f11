internal import FastCGI
internal import PHPSemantics

/// Who sent a request: the session its cookie names, if any, and how it reached the web server.
final class Visitor {
    private let sessions: FileSessionStore
    private let sessionID: SessionID?
    private let isSecure: Bool
    private var user: Int64??

    /// Takes from a request's head what is known of its sender. The session is not read before it is needed.
    init(_ request: borrowing Request, sessions: FileSessionStore) {
        self.sessions = sessions
        sessionID = request.parameter("HTTP_COOKIE")
            .flatMap { Cookies.value(of: SessionCookie.name, in: $0) }
            .flatMap { SessionID($0) }
        isSecure = request.parameter("HTTPS").map { !$0.isEmpty && $0 != Array("off".utf8) } ?? false
    }

    /// The user who is logged in; nil for nobody.
    var loggedInUser: Int64? {
        if let user {
            return user
        }
        let found = sessionID.flatMap { sessions.read($0) }?.loggedInUser()
        user = .some(found)
        return found
    }

    /// Counts this request as use of the session.
    func keepSession() {
        if let sessionID, user == nil {
            sessions.touch(sessionID)
        }
    }

    /// Begins a session for an account, in place of the one there was.
    func logIn(_ account: Account) throws(SessionError) -> SessionCookie {
        SessionCookie(id: try sessions.begin(user: account.id, replacing: sessionID), isSecure: isSecure)
    }

    /// Ends the session.
    func endSession() {
        if let sessionID {
            sessions.destroy(sessionID)
        }
    }
}
