internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// `jsonsignup.php` and `jsonlogin2.php`: accounts in the table `login`, their passwords always hashed.
struct PairEndpoint {
    let accounts: Accounts
    let limiter: AttemptLimiter
    let column: PasswordColumnCheck

    /// What is wrong with a form, by PHP's notions of empty and equal; nil if it may be tried.
    static func complaint(_ form: Form, for kind: PendingCredentials.Kind) -> Response? {
        if form.hasNoFields {
            return PairReply.invalidData
        }
        let username = form.string("username") ?? []
        let password = form.string("password") ?? []
        if kind == .pairSignUp {
            if !phpTruthy(username) {
                return PairReply.failure("Invalid Username.")
            }
            if !LooseEquality.equal(password, form.string("c_password") ?? []) {
                return PairReply.failure("Passwords does not match.")
            }
        } else if !phpTruthy(username) || !phpTruthy(password) {
            return PairReply.failure("Invalid Username/Password.")
        }
        return nil
    }

    /// The name and password of a form; unlike the tutorial's they are not decoded once more.
    static func credentials(_ form: Form) -> Credentials {
        Credentials(username: form.string("username") ?? [], password: form.string("password") ?? [])
    }

    /// Creates an account.
    func signUp(_ pending: PendingCredentials) -> Response {
        let entry = LogEntry(pending)
        do throws(RegistrationError) {
            guard holdsHashes(entry) else {
                pending.conclude(nil, limiter)
                return PairReply.databaseError
            }
            let account = try accounts.register(pending.credentials)
            pending.concludeRegistration(nil, limiter)
            entry.write("ok, user \(account.id)")
            return PairReply.success
        } catch {
            pending.concludeRegistration(error, limiter)
            if case .usernameTaken = error {
                entry.write("the name is taken")
                return PairReply.failure("Username Exist.")
            }
            entry.write("\(error)")
            return PairReply.databaseError
        }
    }

    /// Checks a password.
    func logIn(_ pending: PendingCredentials) -> Response {
        let entry = LogEntry(pending)
        let found: Authentication
        do throws(DatabaseError) {
            guard holdsHashes(entry) else {
                pending.conclude(nil, limiter)
                return PairReply.databaseError
            }
            found = try accounts.authenticate(pending.credentials) { pending.mayTry($0, limiter) }
        } catch {
            pending.conclude(nil, limiter)
            entry.write("\(error)")
            return PairReply.databaseError
        }
        pending.conclude(found, limiter)
        switch found {
        case .account(let account):
            entry.write("ok, user \(account.id)")
            return PairReply.success
        case .wrong:
            entry.write("wrong name or password")
            return PairReply.wrongCredentials
        case .throttled:
            entry.write("too many attempts")
            return PairReply.tooManyAttempts
        }
    }

    private func holdsHashes(_ entry: LogEntry) -> Bool {
        do {
            try column.requireRoomForHashes(accounts.database)
            return true
        } catch {
            entry.write("\(error)")
            return false
        }
    }
}
