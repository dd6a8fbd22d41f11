/// What of a step's reply any of its rules looks at: the rest may differ between two backends unnoticed.
struct Relevance {
    /// How bodies are compared.
    enum Body {
        case none
        case bytes
        /// By shape, and by what is to be seen at some spots.
        case picture([BodyRule.Spot])
    }

    private(set) var isReplyJudged = false
    private(set) var headers: [String] = []
    private(set) var isCookieJudged = false
    private(set) var body = Body.none

    init(_ step: Step) {
        add(step.expected)
        if let original = step.original { add(original) }
        if let race = step.race { add(race.rest) }
    }

    private mutating func add(_ rule: ReplyRule) {
        switch rule {
        case .anything: return
        case .oneOf(let choices):
            for choice in choices { add(choice) }
        case .reply(_, let headers, let body):
            isReplyJudged = true
            for header in headers { add(header) }
            add(body)
        }
    }

    private mutating func add(_ rule: HeaderRule) {
        switch rule {
        case .setsSession, .setsNoSession: isCookieJudged = true
        case .equals(let name, _): if !headers.contains(name) { headers.append(name) }
        }
    }

    private mutating func add(_ rule: BodyRule) {
        switch (rule, body) {
        case (.anything, _), (_, .bytes): return
        case (.jpeg, .none), (.squareJPEG, .none): body = .picture([])
        case (.squareJPEGShowing(let spots), .none): body = .picture(spots)
        case (.squareJPEGShowing(let more), .picture(let spots)): body = .picture(spots + more)
        case (.jpeg, .picture), (.squareJPEG, .picture): return
        case (_, .none), (_, .picture): body = .bytes
        }
    }
}
