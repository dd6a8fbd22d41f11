internal import Glibc
internal import Synchronization

/// Replies up to this length fit into an empty socket's buffer, so that no thread waits for its peer to take them.
private let promptReplyBytes = 65_536

/// What the threads do.
extension Server {
    /// Serves requests until the server stops.
    func work(_ thread: ServingThread) {
        let worker = application.makeWorker()
        thread.occupation.setInterruption(application.interruption(of: worker))
        while true {
            thread.turn.take()
            switch poller.wait() {
            case .connection(let descriptor):
                thread.turn.serve()
                inFlight.wrappingAdd(1, ordering: .sequentiallyConsistent)
                serve(descriptor, worker, thread)
            case .nudged:
                thread.turn.serve()
                for gathering in gatherings {
                    answer(gathering, worker, thread)
                }
            case .accepted, .timeout:
                continue
            case .stopped:
                return
            }
        }
    }

    /// Serves one request.
    private func serve(_ connection: Int32, _ worker: App.Worker, _ thread: ServingThread) {
        thread.occupation.begin(connection)
        let outcome = thread.reader.readHead(connection)
        thread.occupation.end()
        guard case .request = outcome else {
            release(connection, isOpen: outcome == .nothing)
            return
        }
        served.wrappingAdd(1, ordering: .relaxed)
        thread.occupation.begin(connection)
        let verdict = application.receive(Request(thread), worker)
        let exchange = thread.reader.finish()
        thread.occupation.end()
        guard let exchange else {
            if case .shared(let work, _) = verdict {
                application.abandon(work)
            } else if case .heavy(let work) = verdict {
                application.abandon(work)
            }
            release(connection, isOpen: false)
            return
        }
        switch verdict {
        case .reply(let response):
            if response.body.count > promptReplyBytes {
                thread.turn.yield()
            }
            conclude(exchange, response, buffer: &thread.output)
        case .shared(let work, let number):
            let gathering = gatherings[number]
            if gathering.add(WaitingRequest(exchange: exchange, work: work)) {
                answer(gathering, worker, thread)
            } else {
                conclude(exchange, application.decline(work), buffer: &thread.output)
            }
        case .heavy(let work):
            if !lane.append(WaitingRequest(exchange: exchange, work: work)) {
                conclude(exchange, application.decline(work), buffer: &thread.output)
            }
        case .abandoned:
            release(connection, isOpen: false)
        }
    }

    /// Answers those who wait to be answered together, unless enough other threads are about to.
    private func answer(_ gathering: Gathering<WaitingRequest>, _ worker: App.Worker, _ thread: ServingThread) {
        while let claim = gathering.claim() {
            // Whoever is about to add a request does so first: fewer groups have to be worked for, and one that
            // nobody waits for with us is not held up by this.
            sched_yield()
            let group = gathering.take().filter { $0.age == 0 || !dropIfAbandoned($0) }
            guard let first = group.first else {
                gathering.withdraw(claim)
                continue
            }
            thread.turn.yield()
            thread.occupation.begin(first.exchange.connection)
            let answer = application.perform(group.map { work(of: $0) }, worker)
            thread.occupation.end()
            gathering.end(claim)
            for (place, request) in group.enumerated() {
                thread.occupation.begin(request.exchange.connection)
                let response = answer(place)
                thread.occupation.end()
                conclude(request.exchange, response, buffer: &thread.output)
            }
        }
    }

    /// Does heavy work until the server stops.
    func workHeavily(_ occupation: Occupation) {
        lowerPriority()
        let worker = application.makeWorker()
        occupation.setInterruption(application.interruption(of: worker))
        var output: [UInt8] = []
        while let request = lane.next() {
            if !dropIfAbandoned(request) {
                occupation.begin(request.exchange.connection)
                let response = application.perform(work(of: request), worker)
                occupation.end()
                conclude(request.exchange, response, buffer: &output)
            }
        }
    }

    /// Ends a request whose client has left; doing its work would store what nobody was told of.
    private func dropIfAbandoned(_ request: WaitingRequest) -> Bool {
        guard request.exchange.isAbandoned(afterShutdown: isDraining.load(ordering: .relaxed)) else {
            return false
        }
        application.abandon(work(of: request))
        release(request.exchange.connection, isOpen: false)
        return true
    }

    /// What is left to do of a request.
    func work(of request: WaitingRequest) -> App.HeavyWork {
        guard let work = request.work as? App.HeavyWork else {
            preconditionFailure("the work of another application")
        }
        return work
    }

    /// Answers a request, and lets its connection wait for the next one.
    func conclude(_ exchange: Exchange, _ response: Response, buffer: inout [UInt8]) {
        let closing = isDraining.load(ordering: .sequentiallyConsistent)
        release(exchange.connection, isOpen: exchange.finish(response, closing: closing, buffer: &buffer))
    }

    /// Ends what was in flight on a connection, and gives the connection back to the poller, or closes it.
    private func release(_ connection: Int32, isOpen: Bool) {
        if isOpen {
            poller.rearm(connection)
        } else {
            poller.close(connection)
        }
        inFlight.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
}

/// Lets quick requests, the database and the web server have the processor before the calling thread.
///
/// Linux has a priority for each thread. One that cannot be set costs nothing but this advantage.
private func lowerPriority() {
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}
