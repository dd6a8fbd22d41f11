internal import PHPSemantics

/// A name and a password, as a client sends them to `register` and `login`.
struct Credentials: Sendable {
    let username: [UInt8]
    let password: [UInt8]

    init(username: [UInt8], password: [UInt8]) {
        self.username = username
        self.password = password
    }

    /// Whether they are longer than those of any account; whoever waits to be answered keeps them in memory.
    var areTooLong: Bool { username.count > 1024 || password.count > 65_536 }

    /// The fields of a form, decoded once more.
    init(_ form: Form) {
        self.init(username: form.text("username"), password: form.text("password"))
    }
}
