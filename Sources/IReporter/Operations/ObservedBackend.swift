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

    /// How requests are gathered that are answered together.
    public var gatherings: [GatheringRule] { SharedWork.allCases.map(\.rule) }

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
        case .shared(let work, let gathering):
            return .shared(Work(work, trace), gathering: gathering)
        case .abandoned:
            monitor.end(trace, nil, worker.tally)
            return .abandoned
        }
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

    /// Does what requests have in common that are answered together.
    ///
    /// Time that passes for the group, the answers of those before it included, is counted as each one's.
    public func perform(_ group: [Work], _ worker: Worker) -> (_ place: Int) -> Response {
        worker.database.interruption.reset()
        for work in group {
            work.trace.closeStretch(as: .lane)
        }
        let answer = backend.perform(group.map(\.work), worker.database)
        let (time, _) = count(worker)
        return { place in
            let trace = group[place].trace
            let response = answer(place)
            trace.add(time, to: .database)
            trace.closeStretch(as: .work)
            // What of them failed, the commands have said: a connection that was lost and replaced harmed nobody.
            end(trace, response, worker, false)
            return response
        }
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
        backend.abandon(work.work)
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

    /// Adds to the counters, and to the trace of its request, what the database did since the last time; true if
    /// something of it failed.
    private func count(_ worker: Worker, _ trace: RequestTrace) -> Bool {
        let (time, hasFailed) = count(worker)
        trace.add(time, to: .database)
        return hasFailed
    }

    /// Adds to the counters what the database did since the last time.
    ///
    /// - Returns: the time that it took, and whether something of it failed.
    private func count(_ worker: Worker) -> (time: Duration, hasFailed: Bool) {
        let use = worker.database.use
        guard use != worker.counted else {
            return (.zero, false)
        }
        let before = worker.counted
        worker.counted = use
        worker.tally.add(.connects, use.connects - before.connects)
        worker.tally.add(.failedConnects, use.failedConnects - before.failedConnects)
        worker.tally.add(.lostConnections, use.lostConnections - before.lostConnections)
        let hasFailed = use.failedConnects + use.lostConnections > before.failedConnects + before.lostConnections
        return (use.time - before.time, hasFailed)
    }
}
