internal import Glibc
internal import PHPSemantics

/// The cookie that carries a session's id to the client.
struct SessionCookie {
    /// The name that PHP gives it.
    static let name = "PHPSESSID"

    /// The session.
    let id: SessionID
    /// Whether the request came over HTTPS, so that the cookie must never travel without it.
    let isSecure: Bool
    /// Seconds for which clients keep it; nil is until they end.
    var maxAge: Int?

    /// The header field, ended by CR LF.
    var headerField: [UInt8] {
        var field = Array("Set-Cookie: \(Self.name)=".utf8)
        field.append(contentsOf: id.bytes)
        if let maxAge {
            // Both, and in this order, as PHP writes them for session.cookie_lifetime.
            let end = CalendarTime.text("%a, %d %b %Y %H:%M:%S GMT", .universal, at: time(nil) + maxAge)
            field.append(contentsOf: "; expires=\(end); Max-Age=\(maxAge)".utf8)
        }
        field.append(contentsOf: "; path=/; HttpOnly; SameSite=Lax".utf8)
        if isSecure {
            field.append(contentsOf: "; Secure".utf8)
        }
        field.append(contentsOf: [13, 10])
        return field
    }
}
