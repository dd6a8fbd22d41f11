internal import FastCGI

/// The replies of the sign-up and log-in pair, which starts no session and sends no header fields of one.
enum PairReply {
    private static let head = Array("Content-Type: application/json\r\n".utf8)

    /// The account was created, or the password is right.
    ///
    /// The number is a number.
    static let success = Response(head: head, body: Array(#"{"success":1}"#.utf8))

    /// Nothing was done, and why, for the client to show.
    ///
    /// The original wrote its JSON by hand and did not escape the slash that one of its messages has; these are all
    /// literals of ours without anything that had to be escaped.
    static func failure(_ message: StaticString) -> Response {
        Response(head: head, body: Array(#"{"success":0,"error_message":"\#(message)"}"#.utf8))
    }

    /// There was no form.
    static let invalidData = failure("Invalid Data.")

    /// There is no such account, or it has another password.
    static let wrongCredentials = failure("Invalid Username/Password")

    /// More passwords were tried than is allowed.
    static let tooManyAttempts = failure("Too many attempts. Try again later.")

    /// The database did not do its part; the log says which.
    static let databaseError = failure("Database error.")
}
