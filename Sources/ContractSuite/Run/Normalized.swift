/// An exchange with everything taken out that two backends need not share: names, ids, session ids, other photos.
struct Normalized: Equatable {
    private var lines: [(what: String, value: [UInt8])] = []

    init(_ exchange: CaseRun.Exchange, of step: Step, scope: Scope) {
        // The order of racing replies is chance.
        let replies = exchange.outcomes.map { Normalized.lines($0, of: step, scope: scope) }
        lines = replies.sorted { "\($0)" < "\($1)" }.flatMap(\.self)
    }

    /// The first line in which two exchanges differ.
    func difference(to other: Normalized) -> Difference? {
        for (mine, its) in zip(lines, other.lines) where mine != its {
            return Difference(mine.what, expected: mine.value, got: its.value)
        }
        guard lines.count != other.lines.count else { return nil }
        return Difference("replies", expected: "\(lines.count)", got: "\(other.lines.count)")
    }

    static func == (left: Normalized, right: Normalized) -> Bool {
        left.lines.elementsEqual(right.lines) { $0 == $1 }
    }

    private static func lines(
        _ outcome: Result<HTTPReply, HTTPFailure>,
        of step: Step,
        scope: Scope
    ) -> [(what: String, value: [UInt8])] {
        let relevance = Relevance(step)
        guard relevance.isReplyJudged else { return [] }
        switch outcome {
        case .failure(let failure):
            return [("reply", Array(failure.description.utf8))]
        case .success(let reply):
            var lines = [(what: "status", value: Array("\(reply.status)".utf8))]
            for name in relevance.headers {
                lines.append(("header \(name)", Array(reply.values(of: name).joined(separator: " | ").utf8)))
            }
            if relevance.isCookieJudged {
                lines.append(("header Set-Cookie", Array(withoutSessionID(reply.sessionCookie).utf8)))
            }
            switch relevance.body {
            case .none: break
            case .bytes: lines.append(("body", body(reply, scope: scope)))
            case .picture(let spots): lines.append(("body", picture(reply.body, spots)))
            }
            return lines
        }
    }

    /// A picture's shape and what is to be seen at some spots; its size is the backend's business.
    private static func picture(_ bytes: [UInt8], _ spots: [BodyRule.Spot]) -> [UInt8] {
        guard let frame = JPEGFrame(bytes) else { return bytes }
        var text = frame.width == frame.height ? "a square JPEG" : "a JPEG"
        guard let picture = JPEGBrightness(bytes) else { return Array(text.utf8) }
        for spot in spots {
            let isBright = picture.brightness(xPercent: spot.x, yPercent: spot.y) >= 128
            text += ", \(isBright ? "bright" : "dark") at \(spot.x) %, \(spot.y) %"
        }
        return Array(text.utf8)
    }

    private static func withoutSessionID(_ cookie: String?) -> String {
        guard let cookie else { return "no session cookie" }
        let attributes = cookie.drop { $0 != ";" }
        return "\(CookieJar.sessionName)=<id>\(attributes)"
    }

    private static func body(_ reply: HTTPReply, scope: Scope) -> [UInt8] {
        guard reply.status == 200, reply.body.first == UInt8(ascii: "{") else { return reply.body }
        let text = String(decoding: reply.body, as: UTF8.self)
        return Array(withoutIDs(onlyOwnPhotos(text, scope.prefix).replacing(scope.prefix, with: "<name>")).utf8)
    }

    /// A list reduced to the photos that name the case, since two backends may hold different others.
    private static func onlyOwnPhotos(_ text: String, _ prefix: String) -> String {
        let opening = "{\"result\":[{\"IdPhoto\""
        guard text.hasPrefix(opening), text.hasSuffix("}]}") else { return text }
        let rows = text.dropFirst("{\"result\":[{".count).dropLast("}]}".count).split(separator: "},{")
        return "{\"result\":[\(rows.filter { $0.contains(prefix) }.map { "{\($0)}" }.joined(separator: ","))]}"
    }

    private static func withoutIDs(_ text: String) -> String {
        ["IdPhoto", "IdUser"].reduce(text) { text, key in
            let pieces = text.split(separator: "\"\(key)\":\"", omittingEmptySubsequences: false)
            return pieces.enumerated().map { index, piece in
                index == 0 ? String(piece) : "#\(piece.drop { $0.isASCII && $0.isNumber })"
            }.joined(separator: "\"\(key)\":\"")
        }
    }
}
