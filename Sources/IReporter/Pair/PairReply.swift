internal import FastCGI
internal import PHPSemantics

/// The replies of the sign-up and log-in pair, which starts no session and sends no header fields of one.
enum PairReply {
    private static let head = Array("Content-Type: application/json\r\n".utf8)

    /// The account was created, or the password is right. The number is a number.
    static let success = Response(head: head, body: Array(#"{"success":1}"#.utf8))

    /// Nothing was done, and why, for the client to show.
    static func failure(_ message: String) -> Response {
        var body = Array(#"{"success":0,"error_message":"#.utf8)
        body.appendJSONString(message.utf8)
        body.append(UInt8(ascii: "}"))
        return Response(head: head, body: body)
    }

    /// The database did not do its part; the log says which.
    static let databaseError = failure("Database error.")
}
