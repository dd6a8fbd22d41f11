internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// A request that creates an account or proves to own one, read and waiting for its password to be hashed.
public struct PendingCredentials: Sendable {
    /// What is asked for, by its name in the log.
    enum Kind: String, Sendable {
        case register
        case login
        /// `jsonsignup.php`.
        case signUp = "sign-up"
        /// `jsonlogin2.php`.
        case logIn = "log-in"
    }

    let kind: Kind
    let credentials: Credentials
    let visitor: Visitor
    /// The attempt that this one was allowed; nil for a registration, which guesses nothing.
    let permit: AttemptLimiter.Permit?
}

/// `register` and `login`: creates an account, or checks its password, and begins a session.
struct CredentialsCommand {
    let accounts: Accounts
    let limiter: AttemptLimiter

    /// Answers a `register`.
    func register(_ pending: PendingCredentials) -> Response {
        let entry = LogEntry(pending)
        do throws(RegistrationError) {
            guard !pending.credentials.username.isEmpty, !pending.credentials.password.isEmpty else {
                throw .refused
            }
            return welcome(try accounts.register(pending.credentials), pending, entry)
        } catch {
            switch error {
            case .usernameTaken:
                entry.write("the name is taken")
                return Reply.error("Username already exists")
            case .refused:
                entry.write("refused: name or password is empty or does not fit")
                return Reply.error("Registration failed")
            case .database(let error):
                entry.write("\(error)")
                return Reply.error("Registration failed")
            }
        }
    }

    /// Answers a `login`.
    func logIn(_ pending: PendingCredentials) -> Response {
        conclude(pending, LogEntry(pending)) { () throws(DatabaseError) in
            try accounts.authenticate(pending.credentials) { pending.mayTry($0, limiter) }
        }
    }

    /// Looks the accounts of several `login`s up at once, and returns what answers each of them.
    func logIn(_ group: [PendingCredentials]) -> (_ place: Int) -> Response {
        let entries = group.map { LogEntry($0) }
        let lookups = accounts.lookUp(group.map(\.credentials)) { group[$0].mayTry($1, limiter) }
        return { place in
            let pending = group[place]
            return conclude(pending, entries[place]) { () throws(DatabaseError) in
                try accounts.account(lookups[place], pending.credentials) { pending.mayTry($0, limiter) }
            }
        }
    }

    /// Answers a `login` by what becomes of its credentials.
    private func conclude(
        _ pending: PendingCredentials,
        _ entry: LogEntry,
        _ authenticate: () throws(DatabaseError) -> Authentication
    ) -> Response {
        let found: Authentication
        do throws(DatabaseError) {
            found = try authenticate()
        } catch {
            pending.conclude(nil, limiter)
            pending.visitor.trace.outcome = .failed
            entry.write("\(error)")
            return Reply.error("Database error")
        }
        pending.conclude(found, limiter)
        switch found {
        case .account(let account):
            return welcome(account, pending, entry)
        case .wrong:
            entry.write("wrong name or password")
            return Reply.error("Authorization failed")
        case .throttled:
            entry.write("too many attempts")
            return Reply.tooManyAttempts
        }
    }

    /// Begins the session of an account that has proved itself, and answers with it.
    private func welcome(_ account: Account, _ pending: PendingCredentials, _ entry: LogEntry) -> Response {
        do throws(SessionError) {
            let reply = Reply.loggedIn(account, cookie: try pending.visitor.logIn(account, accounts.database))
            entry.write("ok, user \(account.id)")
            return reply
        } catch {
            pending.visitor.trace.outcome = .failed
            entry.write("\(error)")
            guard case .database = error else {
                return Reply.error("Session could not be started")
            }
            return Reply.error(pending.kind == .register ? "Registration failed" : "Database error")
        }
    }
}

extension PendingCredentials {
    /// Asks for an attempt before anything is spent on it; nil if there were too many.
    ///
    /// Only a password that is tried is an attempt; a new account guesses nothing.
    init?(_ kind: Kind, _ credentials: Credentials, _ visitor: Visitor, _ limiter: AttemptLimiter) {
        self.kind = kind
        self.credentials = credentials
        self.visitor = visitor
        switch kind {
        case .register, .signUp:
            permit = nil
        case .login, .logIn:
            permit = limiter.permit(address: visitor.address)
            if permit == nil {
                visitor.trace.outcome = .throttled
                LogEntry(self).write("too many attempts")
                return nil
            }
        }
    }

    /// Whether the password may be tried on the account of this number.
    func mayTry(_ account: Int64, _ limiter: AttemptLimiter) -> Bool {
        permit.map { limiter.allows($0, on: account) } ?? true
    }

    /// Counts the attempt, unless it succeeded; nil if no password was tried.
    func conclude(_ found: Authentication?, _ limiter: AttemptLimiter) {
        guard let permit else {
            return
        }
        switch found {
        case .account(let account): limiter.conclude(permit, .proved(account.id))
        case .wrong(let accounts): limiter.conclude(permit, .failed(accounts))
        case .throttled:
            visitor.trace.outcome = .throttled
            limiter.conclude(permit, .untried)
        case nil: limiter.conclude(permit, .untried)
        }
    }
}

extension LogEntry {
    init(_ pending: PendingCredentials) {
        self.init(pending.kind.rawValue, pending.visitor, account: pending.credentials.username)
    }
}
