internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// A `register` or `login` whose request is read, waiting for its password to be hashed.
public struct PendingCredentials: Sendable {
    /// Which of the two it is.
    enum Kind: String, Sendable {
        case register
        case login
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

    /// Asks for an attempt before anything is spent on it; nil if there were too many.
    static func begin(
        _ kind: PendingCredentials.Kind,
        _ form: Form,
        _ visitor: Visitor,
        _ limiter: AttemptLimiter
    ) -> PendingCredentials? {
        let credentials = Credentials(form)
        guard kind == .login else {
            return PendingCredentials(kind: kind, credentials: credentials, visitor: visitor, permit: nil)
        }
        guard let permit = limiter.permit(account: credentials.username, address: visitor.address) else {
            return nil
        }
        return PendingCredentials(kind: kind, credentials: credentials, visitor: visitor, permit: permit)
    }

    func run(_ pending: PendingCredentials) -> Response {
        let entry = LogEntry(pending)
        switch pending.kind {
        case .register: return register(pending, entry)
        case .login: return logIn(pending, entry)
        }
    }

    private func register(_ pending: PendingCredentials, _ entry: LogEntry) -> Response {
        do throws(RegistrationError) {
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

    private func logIn(_ pending: PendingCredentials, _ entry: LogEntry) -> Response {
        let account: Account?
        do throws(DatabaseError) {
            account = try accounts.authenticate(pending.credentials)
        } catch {
            pending.permit.map { limiter.returnPermit($0, provedOwner: false) }
            entry.write("\(error)")
            return Reply.error("Database error")
        }
        guard let account else {
            entry.write("wrong name or password")
            return Reply.error("Authorization failed")
        }
        pending.permit.map { limiter.returnPermit($0, provedOwner: true) }
        return welcome(account, pending, entry)
    }

    /// Begins the session of an account that has proved itself, and answers with it.
    private func welcome(_ account: Account, _ pending: PendingCredentials, _ entry: LogEntry) -> Response {
        do throws(SessionError) {
            let reply = Reply.loggedIn(account, cookie: try pending.visitor.logIn(account))
            entry.write("ok, user \(account.id)")
            return reply
        } catch {
            entry.write("\(error)")
            return Reply.error("Session could not be started")
        }
    }
}

extension LogEntry {
    init(_ pending: PendingCredentials) {
        self.init(pending.kind.rawValue, pending.visitor, account: pending.credentials.username)
    }
}
