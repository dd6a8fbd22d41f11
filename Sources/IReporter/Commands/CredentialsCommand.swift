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
        case pairSignUp = "sign-up"
        /// `jsonlogin2.php`.
        case pairLogIn = "log-in"
    }

    let kind: Kind
    let credentials: Credentials
    let visitor: Visitor
    /// The attempt that this one is.
    let permit: AttemptLimiter.Permit
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
            let account = try accounts.register(pending.credentials)
            pending.concludeRegistration(nil, limiter)
            return welcome(account, pending, entry)
        } catch {
            pending.concludeRegistration(error, limiter)
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
            if pending.kind == .register {
                takeBack(account)
            }
            guard case .database = error else {
                return Reply.error("Session could not be started")
            }
            return Reply.error(pending.kind == .register ? "Registration failed" : "Database error")
        }
    }

    /// Removes a new account whose owner is told that it failed, so that they can try again.
    private func takeBack(_ account: Account) {
        do throws(DatabaseError) {
            try accounts.remove(account)
        } catch {
            Log.write("user \(account.id), whose session could not be started, stays registered: \(error)")
        }
    }
}

extension PendingCredentials {
    /// Asks for an attempt before anything is spent on it; nil if there were too many.
    ///
    /// A password that is wrong was one, and so was a new account whose name is taken: both tell something.
    init?(_ kind: Kind, _ credentials: Credentials, _ visitor: Visitor, _ limiter: AttemptLimiter) {
        self.kind = kind
        self.credentials = credentials
        self.visitor = visitor
        guard let permit = limiter.permit(address: visitor.address) else {
            visitor.trace.outcome = .throttled
            LogEntry(kind.rawValue, visitor, account: credentials.username).write("too many attempts")
            return nil
        }
        self.permit = permit
    }

    /// Whether the password may be tried on the account of this number.
    func mayTry(_ account: Int64, _ limiter: AttemptLimiter) -> Bool {
        limiter.allows(permit, on: account)
    }

    /// Counts the attempt, unless it succeeded; nil if no password was tried.
    func conclude(_ found: Authentication?, _ limiter: AttemptLimiter) {
        switch found {
        case .account(let account): limiter.conclude(permit, .proved(account.id))
        case .wrong(let accounts): limiter.conclude(permit, .failed(accounts))
        case .throttled:
            visitor.trace.outcome = .throttled
            // Paid for all the same: the time of this answer can tell whether the password was right.
            limiter.conclude(permit, .failed([]))
        case nil: limiter.conclude(permit, .untried)
        }
    }

    /// Counts the attempt if the name was taken, of which nobody can be asked for without limit.
    func concludeRegistration(_ error: RegistrationError?, _ limiter: AttemptLimiter) {
        limiter.conclude(permit, error == .usernameTaken ? .failed([]) : .untried)
    }
}

extension LogEntry {
    init(_ pending: PendingCredentials) {
        self.init(pending.kind.rawValue, pending.visitor, account: pending.credentials.username)
    }
}
