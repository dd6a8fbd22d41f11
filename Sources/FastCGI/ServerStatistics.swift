/// What a server is doing at one moment.
public struct ServerStatistics: Sendable, Equatable {
    /// Connections taken since the start.
    public var accepted = 0
    /// Requests begun since the start.
    public var requests = 0
    /// Threads that read requests and answer the quick ones.
    public var workers = 0
    /// How many of them have a request, or read one.
    public var activeWorkers = 0
    /// Threads that do heavy work.
    public var heavyWorkers = 0
    /// How many of them have a request.
    public var activeHeavyWorkers = 0
    /// Heavy requests that are read and wait for a thread.
    public var waitingHeavy = 0
    /// Requests that are read and wait for an answer that another one is worked out for.
    public var waitingShared = 0
    /// Requests that have arrived and that no thread has begun to read, on new and on kept connections.
    public var queueDepth = 0
    /// Connections that are open and idle.
    public var idleConnections = 0
    /// Milliseconds for which the oldest running request has been worked on or read; 0 if there is none.
    public var oldestRequest = 0
    /// Workers that did not come back although their request was given up.
    public var stuckWorkers = 0
    /// Heavy workers that did not come back although their request was given up.
    public var stuckHeavyWorkers = 0
    /// Whether the server has begun to stop.
    public var isStopping = false

    /// A server that has done nothing.
    public init() {}

    /// Whether no thread of a kind is left to serve with, so that only a new process helps.
    public var isHopeless: Bool {
        (workers > 0 && stuckWorkers == workers) || (heavyWorkers > 0 && stuckHeavyWorkers == heavyWorkers)
    }
}

/// A request that was given up because it ran too long.
public struct OverdueRequest: Sendable, Equatable {
    /// The thread that works on it.
    public let thread: String
    /// Milliseconds it has run.
    public let age: Int
    /// Whether its connection was shut, because ending its waits had not helped.
    public let isConnectionShut: Bool
}
