internal import FastCGI
internal import PHPSemantics

/// Who sent a request: the session its cookie names, if any, the address, and how it reached the web server.
struct Visitor: Sendable {
    /// The client's address, as the web server tells it.
    let address: [UInt8]
    /// What is noted of the request.
    let trace: RequestTrace
    private let sessions: FileSessionStore
    private let sessionID: SessionID?
    private let isSecure: Bool

    /// Takes from a request's head what is known of its sender.
    ///
    /// The session is not read before it is needed.
    init(_ request: borrowing Request, sessions: FileSessionStore, trace: RequestTrace) {
        self.sessions = sessions
        self.trace = trace
        address = trace.address
        sessionID = request.parameter("HTTP_COOKIE")
            .flatMap { Cookies.value(of: SessionCookie.name, in: $0) }
            .flatMap { SessionID($0) }
        isSecure = request.parameter("HTTPS").map { !$0.isEmpty && $0 != Array("off".utf8) } ?? false
    }

    /// The user who is logged in, read from the session; nil for nobody.
    func loggedInUser() -> Int64? {
        trace.measure(.session) { sessionID.flatMap { sessions.read($0) }?.loggedInUser() }
    }

    /// Counts this request as use of the session.
    func keepSession() {
        if let sessionID {
            trace.measure(.session) { sessions.touch(sessionID) }
        }
    }

    /// Begins a session for an account, in place of the one there was.
    func logIn(_ account: Account) throws(SessionError) -> SessionCookie {
        let id = try trace.measure(.session) { () throws(SessionError) in
            try sessions.begin(user: account.id, replacing: sessionID)
        }
        return SessionCookie(id: id, isSecure: isSecure)
    }

    /// Ends the session.
    func endSession() {
        if let sessionID {
            trace.measure(.session) { sessions.destroy(sessionID) }
        }
    }
}
