/// One black-box case: what is sent, in order, and what must hold for each reply.
public struct ContractCase: Sendable {
    /// Which backends a case is for.
    public enum Group: String, Sendable, CaseIterable {
        /// The tutorial's backend: its five commands, its photos.
        case core
        /// The sign-up and log-in pair, where it is installed.
        case pair
        /// The API-key client, where a key is configured and given to the runner.
        case apiKey
        /// The limit on failed log-ins, where the runner is told what it is.
        case attempts
    }

    /// Slash-separated, unique: `upload/multipart/lf-line-ends`.
    public let name: String
    /// Which backends it is for.
    public let group: Group
    /// Why this backend answers otherwise than the original, when the case is different on purpose.
    public let reason: String?
    let steps: [Step]

    init(_ name: String, group: Group = .core, onPurpose reason: String? = nil, _ steps: [Step]) {
        self.name = name
        self.group = group
        self.reason = reason
        self.steps = steps
    }
}

/// A request and what must hold for its reply.
struct Step: Sendable {
    /// Several copies of one request at the same moment.
    struct Race: Sendable {
        var copies: Int
        /// How many copies meet the step's own expectation; on the original at least as many.
        var winners = 1
        /// What the other copies must meet.
        var rest: ReplyRule
    }

    let request: ContractRequest
    /// What holds for a backend that keeps the contract with its improvements.
    let expected: ReplyRule
    /// What holds for the original where that differs.
    let original: ReplyRule?
    /// Set to send copies of the request at once.
    let race: Race?
    /// Forgets the cookies before this step, as another client would.
    let forgetsCookies: Bool

    init(
        _ request: ContractRequest,
        _ expected: ReplyRule,
        original: ReplyRule? = nil,
        race: Race? = nil,
        forgettingCookies: Bool = false
    ) {
        self.request = request
        self.expected = expected
        self.original = original
        self.race = race
        forgetsCookies = forgettingCookies
    }
}
