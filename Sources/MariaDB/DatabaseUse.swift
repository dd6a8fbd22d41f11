/// How one thread has used its database.
public struct DatabaseUse: Sendable, Equatable {
    /// Time spent connecting and waiting for answers.
    public var time = Duration.zero
    /// Connections made.
    public var connects = 0
    /// Connection attempts that failed.
    public var failedConnects = 0
}
