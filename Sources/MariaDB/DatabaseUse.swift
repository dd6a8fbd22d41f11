/// How one thread has used its database.
public struct DatabaseUse: Sendable, Equatable {
    /// Time spent connecting and waiting for answers.
    public var time = Duration.zero
    /// Connections made.
    public var connects = 0
    /// Connection attempts that failed.
    public var failedConnects = 0
    /// Connections that broke while they were used.
    public var lostConnections = 0

    /// A database that was not used yet.
    public init() {}
}
