/// What must hold for one reply.
indirect enum ReplyRule: Sendable {
    /// A reply with this status, headers that meet every rule, and a body that meets the rule.
    case reply(status: Int, headers: [HeaderRule], body: BodyRule)
    /// One of several, tried in order.
    case oneOf([ReplyRule])
    /// Whatever comes, even no reply at all.
    case anything
}

/// What must hold for a header.
enum HeaderRule: Sendable, Equatable {
    /// Sent once, with exactly this value.
    case equals(String, String)
    /// A session cookie is set, with an id other than the one sent.
    case setsSession(CookieForm)
    /// No session cookie is set.
    case setsNoSession
}

/// How a session cookie is written.
enum CookieForm: Sendable {
    /// `PHPSESSID=<id>; path=/` and nothing else, the id of at least 22 letters, digits, commas or hyphens.
    case plain
    /// As plain, and `HttpOnly` and `SameSite=Lax`; other attributes may follow.
    case hardened
}

/// What must hold for a body.
enum BodyRule: Sendable {
    /// Exactly these bytes.
    case exactly(Template)
    /// A list of photos in the contract's form, newest first, 50 at most, in which the template occurs.
    case photoList(containing: Template)
    /// The same, in which the template does not occur.
    case photoListWithout(Template)
    /// The same with exactly this many photos.
    case photoCount(Int)
    /// A JPEG with as many columns as rows.
    case squareJPEG
    /// A JPEG of any size.
    case jpeg
    /// A square JPEG whose brightness, at points given in per cent of its sides, is dark or bright.
    case squareJPEGShowing([Spot])
    /// Anything.
    case anything

    /// A point of a thumbnail and what is to be seen there.
    struct Spot: Sendable {
        /// Per cent of the width, from the left.
        var x: Int
        /// Per cent of the height, from the top.
        var y: Int
        var isBright: Bool
    }
}

extension ReplyRule {
    /// The headers of every reply of the backend.
    static let apiHeaders: [HeaderRule] = [
        .equals("Content-Type", "application/json"),
        .equals("Expires", "Thu, 19 Nov 1981 08:52:00 GMT"),
        .equals("Cache-Control", "no-store, no-cache, must-revalidate"),
        .equals("Pragma", "no-cache"),
    ]

    /// A reply of the backend with exactly this body.
    static func json(_ body: Template, _ more: HeaderRule...) -> ReplyRule {
        .reply(status: 200, headers: apiHeaders + more, body: .exactly(body))
    }

    /// A reply of the backend with a body that meets `rule`.
    static func api(_ rule: BodyRule, _ more: HeaderRule...) -> ReplyRule {
        .reply(status: 200, headers: apiHeaders + more, body: rule)
    }

    /// The empty reply: status and headers as ever, no body.
    static let empty = json("")

    /// A failure: `{"error":"…"}`.
    static func error(_ message: String) -> ReplyRule {
        json("{\"error\":\"\(message)\"}")
    }

    /// The reply to a registration or log-in: the account's id becomes known as `label`.
    static func account(_ label: String, _ name: Template, _ more: HeaderRule...) -> ReplyRule {
        .reply(
            status: 200,
            headers: apiHeaders + more,
            body: .exactly("{\"result\":[{\"IdUser\":\"\(id: label)\",\"username\":\"\(name)\"}]}")
        )
    }

    /// The reply to an upload.
    static let successful = json("{\"successful\":1}")

    /// The list without any photo.
    static let noPhotos = json("{\"result\":[]}")

    /// One photo of a list, without braces around the list: ids become known as `photo` and `user`.
    static func row(_ photo: String, _ title: Template, _ user: String, _ name: Template) -> Template {
        """
        {"IdPhoto":"\(id: photo)","title":"\(title)","IdUser":"\(id: user)","username":"\(name)"}
        """
    }

    /// A list of exactly one photo.
    static func photo(_ photo: String, _ title: Template, _ user: String, _ name: Template) -> ReplyRule {
        json("{\"result\":[\(row(photo, title, user, name))]}")
    }

    /// What PHP 8.1 and later answer when a database error or a fatal error ends the script.
    static let phpFailure = reply(status: 500, headers: [], body: .anything)

    /// A message of the original, or its failure under a PHP whose mysqli throws.
    static func errorOrFailure(_ message: String) -> ReplyRule {
        oneOf([error(message), phpFailure])
    }
}
