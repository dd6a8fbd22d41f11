internal import Glibc
internal import Synchronization

/// Milliseconds after which another thread looks for requests in place of one that waits without having said so.
private let watcherPeriod = 10

/// Serves an application on listening sockets with a fixed number of threads.
public final class Server<App: Application>: Sendable {
    let application: App
    let options: ServerOptions
    private let listeners: [ListeningSocket]
    let poller: ConnectionPoller
    let lane: HeavyLane<WaitingRequest>
    let gatherings: [Gathering<WaitingRequest>]
    private let threads = Locked<[WorkerThread]>([])
    let isDraining = Atomic<Bool>(false)
    let inFlight = Atomic<Int>(0)
    let served = Atomic<Int>(0)
    private let occupations: [Occupation]
    private let turns: Turns

    /// Makes a server; nothing is served before `start`.
    ///
    /// - Throws: `FastCGIError.system`.
    public init(_ application: App, listeners: [ListeningSocket], options: ServerOptions) throws(FastCGIError) {
        self.application = application
        self.options = options
        self.listeners = listeners
        prepareProcess()
        self.poller = try ConnectionPoller(
            listeners: listeners,
            receiveTimeout: options.receiveTimeout,
            connectionLimit: options.connectionLimit(ofFiles: openFileLimit())
        )
        self.lane = HeavyLane(capacity: options.heavyQueue)
        self.gatherings = application.gatherings.map { rule in
            switch rule {
            case .everyone:
                Gathering(groupsAtOnce: 1)
            case .groups(let size):
                Gathering(groupsAtOnce: options.concurrency, groupSize: size, capacity: options.heavyQueue)
            }
        }
        self.occupations =
            (0..<options.workers).map { Occupation(name: "worker-\($0)") }
            + (0..<options.heavyWorkers).map { Occupation(name: "heavy-\($0)") }
        self.turns = Turns(limit: options.concurrency)
    }

    /// Starts the threads.
    ///
    /// - Throws: `FastCGIError.system` if the system gives no more threads.
    public func start() throws(FastCGIError) {
        let workers = occupations.prefix(options.workers).map { (occupation: $0, turn: Turn(turns)) }
        var started: [WorkerThread] = []
        for (occupation, turn) in workers {
            started.append(try WorkerThread(name: occupation.name) { self.work(ServingThread(occupation, turn)) })
        }
        for occupation in occupations.dropFirst(options.workers) {
            started.append(try WorkerThread(name: occupation.name) { self.workHeavily(occupation) })
        }
        if options.workers > options.concurrency || !gatherings.isEmpty {
            let all = workers.map(\.turn)
            started.append(
                try WorkerThread(name: "watcher") {
                    self.turns.watcher.watch(all, every: watcherPeriod) {
                        // While a thread answers a group, the next one waits for nobody.
                        if self.gatherings.contains(where: { $0.isClaimable() }) {
                            self.poller.nudge()
                        }
                    }
                }
            )
        }
        let all = started
        threads.withLock { $0 = all }
    }

    /// Declines requests that have waited too long, for a heavy thread or to be answered together with others.
    ///
    /// To be called now and then.
    public func expireWaiting() {
        var output: [UInt8] = []
        func isOverdue(_ request: WaitingRequest) -> Bool { request.age > options.heavyWait }
        func decline(_ request: WaitingRequest) {
            conclude(request.exchange, application.decline(work(of: request)), buffer: &output)
        }
        while let request = lane.takeFirst(where: isOverdue) {
            decline(request)
        }
        for gathering in gatherings {
            while let request = gathering.takeFirst(where: isOverdue) {
                decline(request)
            }
        }
    }

    /// Takes new connections again that had to wait because there were too many; to be called now and then.
    ///
    /// - Returns: whether some had to wait since the last call.
    public func resumeAccepting() -> Bool {
        poller.resumeAccepting()
        return poller.hadNoRoom()
    }

    /// Gives up requests that have run for longer than `ServerOptions.requestLimit`.
    ///
    /// To be called now and then, by one thread.
    ///
    /// - Returns: those that were given up in this call, for the log.
    public func giveUpOverdue() -> [OverdueRequest] {
        guard options.requestLimit > 0 else {
            return []
        }
        let now = monotonicMilliseconds()
        var overdue: [OverdueRequest] = []
        for occupation in occupations {
            let age = occupation.age(now: now) ?? 0
            if let step = occupation.giveUp(after: options.requestLimit * 1000, grace: 5000, now: now) {
                overdue.append(
                    OverdueRequest(thread: occupation.name, age: age, isConnectionShut: step == .connectionShut)
                )
            }
        }
        return overdue
    }

    /// What the server is doing; any thread may ask, whatever the others do.
    public var statistics: ServerStatistics {
        let now = monotonicMilliseconds()
        let (idle, ready) = poller.waiting()
        var statistics = ServerStatistics()
        statistics.accepted = poller.accepted
        statistics.requests = served.load(ordering: .relaxed)
        statistics.workers = options.workers
        statistics.heavyWorkers = options.heavyWorkers
        statistics.waitingHeavy = lane.count
        statistics.waitingShared = gatherings.reduce(0) { $0 + $1.count }
        statistics.activeWorkers = occupations.prefix(options.workers).count { $0.age(now: now) != nil }
        statistics.activeHeavyWorkers = occupations.dropFirst(options.workers).count { $0.age(now: now) != nil }
        statistics.queueDepth = ready
        statistics.idleConnections = idle
        statistics.oldestRequest = occupations.compactMap { $0.age(now: now) }.max() ?? 0
        statistics.stuckWorkers = occupations.prefix(options.workers).count(where: \.isStuck)
        statistics.stuckHeavyWorkers = occupations.dropFirst(options.workers).count(where: \.isStuck)
        statistics.isStopping = isDraining.load(ordering: .relaxed)
        return statistics
    }

    /// Stops: takes no new connections, answers every request that has reached the worker, ends the threads.
    ///
    /// - Parameters:
    ///   - seconds: how long to wait at most for requests that are running.
    ///   - handingOver: leave the listening sockets as they are, for a successor.
    /// - Returns: true if every one of them was answered.
    public func stop(within seconds: Int, handingOver: Bool = false) -> Bool {
        isDraining.store(true, ordering: .sequentiallyConsistent)
        poller.stopAccepting(leavingQueue: handingOver)
        // A request may still be on its way on a kept connection. Each connection is closed after its next
        // reply, so the worker is done when for a little while nothing has been in flight.
        let deadline = monotonicSeconds() + seconds
        var quiet = 0
        var lastServed = -1
        while quiet < 4 && monotonicSeconds() < deadline {
            usleep(25_000)
            let now = served.load(ordering: .relaxed)
            quiet = inFlight.load(ordering: .sequentiallyConsistent) == 0 && now == lastServed ? quiet + 1 : 0
            lastServed = now
        }
        // Those still idle; a web server uses them as long as they are open.
        while !poller.closeIdle() && monotonicSeconds() < deadline {
            usleep(1000)
        }
        for listener in listeners where !handingOver {
            listener.removeFile()
        }
        poller.stop()
        turns.end()
        lane.close()
        guard inFlight.load(ordering: .sequentiallyConsistent) == 0 else {
            return false
        }
        for thread in threads.withLock({ $0 }) {
            thread.join()
        }
        return true
    }
}
