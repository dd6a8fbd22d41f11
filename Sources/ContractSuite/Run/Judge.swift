/// What keeps a reply from meeting an expectation.
struct Difference: Error, Sendable, Equatable {
    /// What was looked at: `status`, `header Pragma`, `body`.
    var what: String
    /// As bytes, since a body need not be text.
    var expected: [UInt8]
    var got: [UInt8]

    init(_ what: String, expected: [UInt8], got: [UInt8]) {
        self.what = what
        self.expected = expected
        self.got = got
    }

    init(_ what: String, expected: String, got: String) {
        self.init(what, expected: Array(expected.utf8), got: Array(got.utf8))
    }
}

/// Holds replies against expectations.
struct Judge {
    /// What differs when a body is right but for blanks and line ends before or after it.
    static let whiteSpace = "white space around the body"

    /// The session id that the request carried.
    let sentSession: String?
    /// Takes white space around a body for nothing: a stray line end in a PHP file should not hide everything else.
    var ignoresWhiteSpace = false

    /// The scope with the ids that the reply has shown.
    func judge(
        _ outcome: Result<HTTPReply, HTTPFailure>,
        by expectation: ReplyRule,
        in scope: Scope
    ) throws(Difference) -> Scope {
        switch expectation {
        case .anything:
            return scope
        case .oneOf(let choices):
            var first: Difference?
            for choice in choices {
                do throws(Difference) {
                    return try judge(outcome, by: choice, in: scope)
                } catch {
                    first = first ?? error
                }
            }
            throw first ?? Difference("reply", expected: "one of none", got: "a reply")
        case .reply(let status, let headers, let body):
            switch outcome {
            case .failure(let failure):
                throw Difference("reply", expected: "a reply", got: failure.description)
            case .success(let reply):
                guard reply.status == status else {
                    let got = Array("\(reply.status) with the body ".utf8) + reply.body
                    throw Difference("status", expected: Array("\(status)".utf8), got: got)
                }
                for rule in headers { try judge(reply, by: rule) }
                let bytes = ignoresWhiteSpace ? Judge.trimmed(reply.body) : reply.body
                return try judge(bytes, by: body, in: scope)
            }
        }
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private func judge(_ reply: HTTPReply, by rule: HeaderRule) throws(Difference) {
        switch rule {
        case .equals(let name, let value):
            let got = reply.values(of: name)
            guard got == [value] else {
                let text = got.isEmpty ? "no such header" : got.joined(separator: " | ")
                throw Difference("header \(name)", expected: value, got: text)
            }
        case .setsNoSession:
            guard let cookie = reply.sessionCookie else { return }
            throw Difference("header Set-Cookie", expected: "no session cookie", got: cookie)
        case .setsSession(let form):
            guard let cookie = reply.sessionCookie else {
                throw Difference("header Set-Cookie", expected: form.description, got: "no session cookie")
            }
            guard form.accepts(cookie) else {
                throw Difference("header Set-Cookie", expected: form.description, got: cookie)
            }
            if let sentSession, cookie.hasPrefix("\(CookieJar.sessionName)=\(sentSession);") {
                throw Difference("header Set-Cookie", expected: "an id other than the one sent", got: cookie)
            }
        }
    }

    private func judge(_ body: [UInt8], by rule: BodyRule, in scope: Scope) throws(Difference) -> Scope {
        switch rule {
        case .anything:
            return scope
        case .exactly(let template):
            if let result = scope.matching(template, body) { return result }
            throw Difference("body", expected: scope.describe(template), got: body)
        case .photoList(let template):
            _ = try PhotoList(body)
            if let result = scope.finding(template, in: body) { return result }
            throw Difference("body", expected: Array("a list with ".utf8) + scope.describe(template), got: body)
        case .photoListWithout(let template):
            _ = try PhotoList(body)
            guard scope.finding(template, in: body) != nil else { return scope }
            throw Difference("body", expected: Array("a list without ".utf8) + scope.describe(template), got: body)
        case .photoCount(let count):
            let list = try PhotoList(body)
            guard list.ids.count != count else { return scope }
            throw Difference("body", expected: "a list of \(count) photos", got: "\(list.ids.count) photos")
        case .jpeg, .squareJPEG, .squareJPEGShowing:
            try judgePicture(body, by: rule)
            return scope
        }
    }

    private func judgePicture(_ body: [UInt8], by rule: BodyRule) throws(Difference) {
        guard let frame = JPEGFrame(body) else { throw Difference("body", expected: Array("a JPEG".utf8), got: body) }
        if case .jpeg = rule { return }
        guard frame.width == frame.height else {
            throw Difference("body", expected: "a square JPEG", got: "a JPEG of \(frame.width)x\(frame.height) px")
        }
        guard case .squareJPEGShowing(let spots) = rule else { return }
        guard let picture = JPEGBrightness(body) else {
            throw Difference("body", expected: "a baseline JPEG", got: "a JPEG of another kind")
        }
        for spot in spots {
            let value = picture.brightness(xPercent: spot.x, yPercent: spot.y)
            guard (value >= 128) == spot.isBright else {
                let expected = "a \(spot.isBright ? "bright" : "dark") spot at \(spot.x) %, \(spot.y) %"
                throw Difference("body", expected: expected, got: "brightness \(value) of 255")
            }
        }
    }
}

extension HTTPReply {
    /// The last `Set-Cookie` line for the session, which is the one a client keeps.
    var sessionCookie: String? {
        values(of: "Set-Cookie").last { $0.hasPrefix("\(CookieJar.sessionName)=") }
    }
}

extension CookieForm: CustomStringConvertible {
    var description: String {
        switch self {
        case .plain: "PHPSESSID=<id>; path=/"
        case .hardened: "PHPSESSID=<id>; path=/; HttpOnly; SameSite=Lax"
        }
    }

    /// Whether a `Set-Cookie` line is of this form; attribute names are compared without regard to case.
    func accepts(_ line: String) -> Bool {
        let pieces = line.split(separator: "; ", omittingEmptySubsequences: false).map(String.init)
        let id = pieces[0].dropFirst("\(CookieJar.sessionName)=".count)
        guard id.utf8.count >= 22, id.utf8.allSatisfy(CookieForm.isAllowedInID) else { return false }
        let attributes = Set(pieces.dropFirst().map { $0.lowercased() })
        switch self {
        case .plain: return pieces.count == 2 && attributes == ["path=/"]
        case .hardened: return attributes.isSuperset(of: ["path=/", "httponly", "samesite=lax"])
        }
    }

    private static func isAllowedInID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ","), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
