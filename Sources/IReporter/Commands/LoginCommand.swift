internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// `login`: checks name and password and begins a session.
struct LoginCommand {
    let accounts: Accounts
    let visitor: Visitor

    func run(_ form: Form) -> Response {
        let account: Account?
        do throws(DatabaseError) {
            account = try accounts.authenticate(username: form.text("username"), password: form.text("password"))
        } catch {
            Log.write("login: \(error)")
            return Reply.error("Database error")
        }
        guard let account else {
            return Reply.error("Authorization failed")
        }
        return Self.welcome(account, visitor)
    }

    /// Begins the session of an account that has proved itself, and answers with it.
    static func welcome(_ account: Account, _ visitor: Visitor) -> Response {
        do throws(SessionError) {
            return Reply.loggedIn(account, cookie: try visitor.logIn(account))
        } catch {
            Log.write("session of user \(account.id): \(error)")
            return Reply.error("Session could not be started")
        }
    }
}
