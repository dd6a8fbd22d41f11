/// One thing that `ireporter check` has looked at.
public struct Finding: Sendable, Equatable {
    /// How it is.
    public enum Verdict: Sendable, Equatable {
        /// As it should be.
        case fine
        /// It works; the text says what would be better.
        case advice(String)
        /// It does not, or will lose something; the text says what to do.
        case problem(String)
    }

    /// What was found, in a sentence without its full stop; control characters are escaped, here and in cures.
    public let text: String
    /// How it is.
    public let verdict: Verdict

    /// Something as it should be.
    static func fine(_ text: String) -> Finding { Finding(text: Log.escaped(text), verdict: .fine) }

    /// Something that works and could be better.
    static func advice(_ text: String, _ cure: String) -> Finding {
        Finding(text: Log.escaped(text), verdict: .advice(Log.escaped(cure)))
    }

    /// Something that has to be cured.
    static func problem(_ text: String, _ cure: String) -> Finding {
        Finding(text: Log.escaped(text), verdict: .problem(Log.escaped(cure)))
    }
}
