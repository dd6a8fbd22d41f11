internal import FastCGI
internal import PHPSemantics

/// `register`: creates an account and logs it in.
struct RegisterCommand {
    let accounts: Accounts
    let visitor: Visitor

    func run(_ form: Form) -> Response {
        do throws(RegistrationError) {
            let account = try accounts.register(username: form.text("username"), password: form.text("password"))
            return LoginCommand.welcome(account, visitor)
        } catch {
            switch error {
            case .usernameTaken: return Reply.error("Username already exists")
            case .refused: return Reply.error("Registration failed")
            }
        }
    }
}
