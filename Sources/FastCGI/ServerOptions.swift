/// How a server is sized.
public struct ServerOptions: Sendable {
    /// Threads that read requests and answer the quick ones.
    public var workers: Int
    /// How many of them look for requests at a time, at most; the others do when these have to wait.
    public var concurrency: Int
    /// Threads that do heavy work.
    public var heavyWorkers: Int
    /// Heavy requests that may wait at once, and of those that are answered in groups as many; further ones are declined.
    public var heavyQueue = 1024
    /// Seconds a request may wait, for a heavy thread or to be answered together with others, before it is declined.
    public var heavyWait = 20
    /// Seconds after which a connection that stops in the middle of a request is given up.
    public var receiveTimeout = 30
    /// Seconds after which a running request is given up; 0 gives none up.
    public var requestLimit = 30

    /// Sizes for a machine with `processors` cores: enough threads that some may wait for disk and database
    /// without a core going idle.
    public init(processors: Int) {
        workers = min(max(processors * 4, 4), 32)
        concurrency = max(processors, 1)
        heavyWorkers = min(max(processors * 2, 2), 16)
    }

    /// How many connections may be open at a time, of so many files.
    ///
    /// Each thread needs some files for itself, for the database, sessions and photos, and each heavy request that waits
    /// may have received a file, which takes two with its folder. A request that finds none left would be worse off than
    /// one that waits.
    func connectionLimit(ofFiles count: Int) -> Int {
        let room = count - 8 * (workers + heavyWorkers) - 32
        return max(room - 2 * min(heavyQueue, room / 3), 16)
    }
}
