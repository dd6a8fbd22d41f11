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
        var exchange = Exchange()
        while true {
            thread.turn.take()
            switch poller.wait() {
            case .connection(let descriptor):
                thread.turn.serve()
                inFlight.wrappingAdd(1, ordering: .sequentiallyConsistent)
                if serve(descriptor, exchange, worker, thread) {
                    exchange = Exchange()
                }
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

    /// Serves one request; true if the exchange went elsewhere with it.
    private func serve(
        _ descriptor: Int32,
        _ exchange: Exchange,
        _ worker: App.Worker,
        _ thread: ServingThread
    ) -> Bool {
        guard exchange.accept(descriptor) else {
            poller.connectionClosed()
            inFlight.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            return false
        }
        served.wrappingAdd(1, ordering: .relaxed)
        thread.occupation.begin(descriptor)
        let verdict = application.receive(Request(exchange, thread), worker)
        thread.occupation.end()
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
                return true
            }
            conclude(exchange, application.decline(work), buffer: &thread.output)
        case .heavy(let work):
            if lane.append(WaitingRequest(exchange: exchange, work: work)) {
                return true
            }
            conclude(exchange, application.decline(work), buffer: &thread.output)
        case .abandoned:
            conclude(exchange, nil, buffer: &thread.output)
        }
        return false
    }

    /// Answers those who wait to be answered together, unless enough other threads are about to.
    private func answer(_ gathering: Gathering<WaitingRequest>, _ worker: App.Worker, _ thread: ServingThread) {
        while let claim = gathering.claim() {
            // Whoever is about to add a request does so first: fewer groups have to be worked for, and one that
            // nobody waits for with us is not held up by this.
            sched_yield()
            let group = gathering.take().filter { $0.age == 0 || !dropIfAbandoned($0, buffer: &thread.output) }
            guard let first = group.first else {
                gathering.end(claim)
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
            if !dropIfAbandoned(request, buffer: &output) {
                occupation.begin(request.exchange.connection)
                let response = application.perform(work(of: request), worker)
                occupation.end()
                conclude(request.exchange, response, buffer: &output)
            }
        }
    }

    /// Ends a request whose client has left; doing its work would store what nobody was told of.
    private func dropIfAbandoned(_ request: WaitingRequest, buffer: inout [UInt8]) -> Bool {
        guard request.exchange.isAbandoned(afterShutdown: isDraining.load(ordering: .relaxed)) else {
            return false
        }
        application.abandon(work(of: request))
        conclude(request.exchange, nil, buffer: &buffer)
        return true
    }

    /// What is left to do of a request.
    func work(of request: WaitingRequest) -> App.HeavyWork {
        guard let work = request.work as? App.HeavyWork else {
            preconditionFailure("the work of another application")
        }
        return work
    }

    /// Answers a request, or closes its connection, and lets the connection wait for its next one.
    func conclude(_ exchange: Exchange, _ response: Response?, buffer: inout [UInt8]) {
        let closing = isDraining.load(ordering: .sequentiallyConsistent)
        if let connection = exchange.finish(response, closing: closing, buffer: &buffer) {
            poller.rearm(connection)
        } else {
            poller.connectionClosed()
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
