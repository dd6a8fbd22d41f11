/// How one case went.
public struct ContractResult: Sendable, Equatable {
    /// What became of a case.
    public enum Outcome: Sendable, Equatable {
        /// Everything held; when two backends are compared: their replies were the same.
        case held
        /// Two backends differ as the contract says they do.
        case differsOnPurpose(Evidence)
        /// Something did not hold, or two backends differ.
        case differs(Evidence)
        /// It was not run, and why.
        case skipped(String)
    }

    /// What was sent and what came back instead of what was expected.
    public struct Evidence: Sendable, Equatable {
        /// The number of the request within the case, from 1.
        public var step: Int
        /// What was looked at: `status`, `header Pragma`, `body`.
        public var what: String
        /// The request's bytes.
        public var sent: [UInt8]
        /// The bytes expected, or with two backends the first one's reply.
        public var expected: [UInt8]
        /// The bytes found, or with two backends the second one's reply.
        public var got: [UInt8]
    }

    /// The case's name.
    public var name: String
    /// What became of it.
    public var outcome: Outcome
    /// Why this backend answers otherwise than the original, for a case that is different on purpose.
    public var reason: String?

    /// Whether the case speaks against the backend.
    public var isFailure: Bool {
        if case .differs = outcome { true } else { false }
    }
}

extension ContractResult.Evidence: CustomStringConvertible {
    /// The evidence for a log: bytes as the eye reads them.
    public var description: String {
        "request \(step): \(what); sent \(printable(sent)); expected \(printable(expected)); got \(printable(got))"
    }
}
