public import FastCGI
internal import PHPSemantics

/// The bytes of the replies, as the contract fixes them: always status 200, always declared as JSON, never cached.
public enum Reply {
    /// The header fields of every reply, in PHP's order.
    static let head = Array(
        """
        Expires: Thu, 19 Nov 1981 08:52:00 GMT\r
        Cache-Control: no-store, no-cache, must-revalidate\r
        Pragma: no-cache\r
        Content-Type: application/json\r

        """.utf8
    )

    /// The empty reply: to `logout`, and to whatever is no command.
    public static let empty = Response(head: head, body: [])

    /// A reply with the given body.
    static func json(_ body: [UInt8], cookie: SessionCookie? = nil) -> Response {
        Response(head: (cookie?.headerField ?? []) + head, body: body)
    }

    /// `{"error":"…"}`, which clients show to their user.
    static func error(_ message: String) -> Response {
        var body = Array(#"{"error":"#.utf8)
        body.appendJSONString(message.utf8)
        body.append(UInt8(ascii: "}"))
        return json(body)
    }

    /// More passwords were tried than is allowed.
    static let tooManyAttempts = error("Too many attempts. Try again later.")

    /// The reply to an upload that is stored.
    ///
    /// The number is a number, unlike the ids.
    static let uploaded = json(Array(#"{"successful":1}"#.utf8))

    /// The reply to `register` and `login`: who is logged in from now on, and the session's cookie.
    static func loggedIn(_ account: Account, cookie: SessionCookie) -> Response {
        var body = Array(#"{"result":[{"IdUser":"#.utf8)
        body.appendJSONString(account.id.decimal)
        body.append(contentsOf: #","username":"#.utf8)
        body.appendJSONString(account.username)
        body.append(contentsOf: "}]}".utf8)
        return json(body, cookie: cookie)
    }
}

extension Int64 {
    /// The number in decimal digits, as the replies show ids.
    var decimal: [UInt8] { Array(String(self).utf8) }
}
