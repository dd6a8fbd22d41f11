public import FastCGI
internal import MariaDB

/// The backend with a monitor that sees each of its requests begin and end.
public struct ObservedBackend: Application {
    /// What one thread keeps.
    public final class Worker {
        let database: Database
        let tally: Tally
        /// The database's use as it was counted last.
        var counted = DatabaseUse()

        init(database: Database, tally: Tally) {
            self.database = database
            self.tally = tally
        }
    }

    /// Heavy work and the trace of its request.
    public final class Work: Sendable {
        let work: HeavyWork
        let trace: RequestTrace

        /// Puts the two together.
        init(_ work: HeavyWork, _ trace: RequestTrace) {
            self.work = work
            self.trace = trace
        }
    }

    private let backend: Backend
    private let monitor: Monitor

    /// Puts a monitor before a backend.
    public init(_ backend: Backend, _ monitor: Monitor) {
        self.backend = backend
        self.monitor = monitor
    }

    /// Makes one thread's connection and counters.
    public func makeWorker() -> Worker {
        Worker(database: backend.makeWorker(), tally: monitor.makeTally())
    }

    /// Reads a request and answers it, or leaves it to the heavy lane.
    public func receive(_ request: borrowing Request, _ worker: Worker) -> Verdict<Work> {
        worker.database.interruption.reset()
        let trace = monitor.begin(request)
        let verdict = backend.receive(request, worker.database, trace)
        let hasFailed = count(worker, trace)
        trace.closeStretch(as: .reading)
        switch verdict {
        case .reply(let response):
            end(trace, response, worker, hasFailed)
            return .reply(response)
        case .heavy(let work):
            return .heavy(Work(work, trace))
        case .shared(let work):
            return .shared(Work(work, trace))
        case .abandoned:
            monitor.end(trace, nil, worker.tally)
            return .abandoned
        }
    }

    /// Ends the trace of a request that is answered with what was worked out for another.
    public func share(_ response: Response, with work: Work, _ worker: Worker) {
        work.trace.closeStretch(as: .lane)
        end(work.trace, response, worker, false)
    }

    /// Does heavy work.
    public func perform(_ work: Work, _ worker: Worker) -> Response {
        worker.database.interruption.reset()
        work.trace.closeStretch(as: .lane)
        let response = backend.perform(work.work, worker.database)
        let hasFailed = count(worker, work.trace)
        work.trace.closeStretch(as: .work)
        end(work.trace, response, worker, hasFailed)
        return response
    }

    /// Answers a request whose heavy work was not begun.
    public func decline(_ work: Work) -> Response {
        let response = backend.decline(work.work)
        work.trace.closeStretch(as: .lane)
        work.trace.outcome = .declined
        monitor.end(work.trace, response)
        return response
    }

    /// Notes that a client left while its request waited.
    public func abandon(_ work: Work) {
        work.trace.closeStretch(as: .lane)
        monitor.end(work.trace, nil)
    }

    /// Ends what the thread's database waits for.
    public func interruption(of worker: Worker) -> @Sendable () -> Void {
        let interruption = worker.database.interruption
        return { interruption.interrupt() }
    }

    private func end(_ trace: RequestTrace, _ response: Response, _ worker: Worker, _ hasFailed: Bool) {
        if trace.outcome == nil, Monitor.isError(response), hasFailed || trace.kind == .stream {
            trace.outcome = .failed
        }
        monitor.end(trace, response, worker.tally)
    }

    /// Adds to the counters what the database did since the last time; true if something of it failed.
    private func count(_ worker: Worker, _ trace: RequestTrace) -> Bool {
        let use = worker.database.use
        guard use != worker.counted else {
            return false
        }
        let before = worker.counted
        worker.counted = use
        trace.add(use.time - before.time, to: .database)
        worker.tally.add(.connects, use.connects - before.connects)
        worker.tally.add(.failedConnects, use.failedConnects - before.failedConnects)
        worker.tally.add(.lostConnections, use.lostConnections - before.lostConnections)
        return use.failedConnects + use.lostConnections > before.failedConnects + before.lostConnections
    }
}
