/// Why a private server or tool could not do its part, in words for whoever reads the test's output.
public struct TestFailure: Error, CustomStringConvertible {
    /// What happened and, where known, what to do about it.
    public let description: String

    /// A failure in words.
    public init(_ description: String) {
        self.description = description
    }
}
