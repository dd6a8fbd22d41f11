import Glibc
import Testing

@testable import FastCGI

/// A server and its connections.
@Suite(.serialized) struct ServerTests {
    private let folder = TemporaryFolder()
    private let application = Echo()

    private func start(_ change: (inout ServerOptions) -> Void = { _ in }) throws -> Server<Echo> {
        try application.serve(at: folder.socketPath, change)
    }

    private func reply(_ body: String) -> String { Echo.reply(body) }

    @Test func keptConnectionServesRequestAfterRequest() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try Client(folder.socketPath)
        for number in 1...100 {
            client.send(Record.request([("PATH", "p\(number)")], body: Array(repeating: 1, count: number)))
            #expect(try client.readReply().output == reply("p\(number) \(number) \(number)"))
        }
    }

    @Test func connectionIsClosedWhereTheWebServerDoesNotKeepIt() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "x")], keepAlive: false))
        #expect(try client.readReply().output == reply("x 0 0"))
        #expect(client.isClosedByWorker())
    }

    @Test(arguments: [0, 1, 8191, 8192, 65_535, 65_536, 65_537, 1_000_000])
    func bodyArrivesWhole(length: Int) throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try Client(folder.socketPath)
        let parameters = [("PATH", "b"), ("CONTENT_LENGTH", "\(length)")]
        client.send(Record.request(parameters, body: Array(repeating: 3, count: length)))
        #expect(try client.readReply().output == reply("b \(length) \(length * 3)"))
    }

    @Test func bodyThatIsNotReadDoesNotDisturbTheNextRequest() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "unread")], body: Array(repeating: 3, count: 300_000)))
        #expect(try client.readReply().output == reply("unread"))
        client.send(Record.request([("PATH", "next")]))
        #expect(try client.readReply().output == reply("next 0 0"))
    }

    @Test func bodyShorterThanAnnouncedIsNotAnswered() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "x"), ("CONTENT_LENGTH", "10")], body: [1, 2, 3]))
        #expect(try client.readReply().isEmpty)
    }

    @Test func connectionThatStopsInTheMiddleIsGivenUp() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let stuck = try Client(folder.socketPath)
        stuck.send(Array(Record.request([("PATH", "x")], body: [1, 2, 3]).dropLast(12)))
        #expect(stuck.isClosedByWorker())
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "x")]))
        #expect(try next.readReply().output == reply("x 0 0"))
    }

    /// Whatever it is that stops half-way, in its head or its body, the others are answered meanwhile.
    @Test(arguments: [12, 60])
    func requestsThatStopHalfWayDoNotHoldOthers(missing: Int) throws {
        let server = try start {
            $0.workers = 4
            $0.concurrency = 1
            $0.receiveTimeout = 8
        }
        defer { _ = server.stop(within: 5) }
        let request = Record.request([("PATH", "x"), ("CONTENT_LENGTH", "40")], body: Array(repeating: 1, count: 40))
        let slow = try (0..<3).map { _ in try Client(folder.socketPath) }
        for client in slow {
            client.send(Array(request.dropLast(missing)))
        }
        let quick = try Client(folder.socketPath)
        for _ in 1...3 {
            quick.send(Record.request([("PATH", "x")]))
            #expect(try quick.readReply().output == reply("x 0 0"))
        }
        // Were they held, these would have been given up by now.
        for client in slow {
            client.send(Array(request.suffix(missing)))
            #expect(try client.readReply().output == reply("x 40 40"))
        }
    }

    @Test(arguments: 0..<60)
    func garbageEndsItsConnectionOnly(seed: Int) throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let whole = Record.request([("PATH", "x"), ("LONG", String(repeating: "y", count: 200))], body: [1, 2, 3])
        let broken = try Client(folder.socketPath)
        // Cut at some point, and something else follows.
        broken.send(Array(whole.prefix(seed * 5)) + [9, 9, 9, 9, 0, 0, 0, 0])
        shutdown(broken.descriptor, Int32(SHUT_WR))
        _ = try? broken.readReply()
        #expect(broken.isClosedByWorker())
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "x")]))
        #expect(try next.readReply().output == reply("x 0 0"))
    }

    @Test func idleConnectionsHoldNoThread() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let idle = try (0..<500).map { _ in try Client(folder.socketPath) }
        try withExtendedLifetime(idle) {
            for client in [idle[0], idle[499], try Client(folder.socketPath), idle[250]] {
                client.send(Record.request([("PATH", "x")]))
                #expect(try client.readReply().output == reply("x 0 0"))
            }
        }
    }

    /// A web server sends requests on a connection as long as it is open, up to the moment in which the process ends.
    @Test func idleConnectionsAreClosedBeforeStoppingIsOver() throws {
        let server = try start()
        let kept = try (0..<40).map { _ in try Client(folder.socketPath) }
        for client in kept {
            client.send(Record.request([("PATH", "x")]))
            #expect(try client.readReply().output == reply("x 0 0"))
        }
        #expect(server.stop(within: 5))
        withExtendedLifetime(server) {
            for client in kept {
                #expect(client.isClosedByWorker())
            }
        }
    }

    @Test func statisticsTellWhatIsGoingOn() throws {
        let server = try start()
        defer { _ = server.stop(within: 10) }
        let idle = try Client(folder.socketPath)
        idle.send(Record.request([("PATH", "x")]))
        _ = try idle.readReply()
        let slow = try (0..<3).map { _ in try Client(folder.socketPath) }
        for client in slow {
            client.send(Record.request([("PATH", "slow")]))
        }
        // One is performed, two wait.
        var seen = server.statistics
        for _ in 0..<200
        where seen.requests != 4 || seen.activeHeavyWorkers != 1 || seen.waitingHeavy != 2 || seen.activeWorkers != 0
            || seen.idleConnections != 1 || seen.queueDepth != 0
        {
            usleep(1000)
            seen = server.statistics
        }
        #expect(seen.waitingHeavy == 2)
        #expect(seen.activeHeavyWorkers == 1)
        #expect(seen.activeWorkers == 0)
        #expect((seen.workers, seen.heavyWorkers) == (2, 1))
        #expect(seen.accepted == 4)
        #expect(seen.requests == 4)
        #expect(seen.idleConnections == 1)
        #expect(seen.queueDepth == 0)
        #expect(!seen.isStopping)
        for client in slow {
            _ = try client.readReply()
        }
    }

    @Test func requestsThatNoThreadHasTakenAreCounted() throws {
        let server = try start()
        defer { _ = server.stop(within: 10) }
        // Both workers wait for the rest of a request; a new connection and a kept one have another.
        let kept = try Client(folder.socketPath)
        kept.send(Record.request([("PATH", "x")]))
        _ = try kept.readReply()
        let halves = try (0..<2).map { _ in try Client(folder.socketPath) }
        let request = Record.request([("PATH", "x")], body: [1, 2, 3])
        for client in halves {
            client.send(Array(request.dropLast(8)))
        }
        while server.statistics.activeWorkers < 2 {
            usleep(1000)
        }
        kept.send(Record.request([("PATH", "kept")]))
        let new = try Client(folder.socketPath)
        new.send(Record.request([("PATH", "new")]))
        let seen = server.statistics
        #expect(seen.queueDepth == 2)
        #expect(seen.activeWorkers == 2)
        for client in halves {
            client.send(Array(request.suffix(8)))
            #expect(try client.readReply().output == reply("x 3 6"))
        }
        #expect(try new.readReply().output == reply("new 0 0"))
        #expect(try kept.readReply().output == reply("kept 0 0"))
    }

    /// Be it that its body or its head does not end.
    @Test(arguments: [8, 40])
    func requestThatRunsTooLongLosesItsConnection(missing: Int) throws {
        let server = try start {
            $0.requestLimit = 1
            $0.receiveTimeout = 60
        }
        defer { _ = server.stop(within: 10) }
        let stuck = try Client(folder.socketPath)
        stuck.send(Array(Record.request([("PATH", "x")], body: [1, 2, 3]).dropLast(missing)))
        var steps: [Bool] = []
        for _ in 0..<200 where steps.count < 2 {
            usleep(50_000)
            steps += server.giveUpOverdue().map(\.isConnectionShut)
        }
        #expect(steps == [false, true])
        #expect(stuck.isClosedByWorker())
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "x")]))
        #expect(try next.readReply().output == reply("x 0 0"))
        // The thread that was stuck may still be on its way out of it.
        for _ in 0..<2000 where server.statistics.stuckWorkers != 0 {
            usleep(1000)
        }
        #expect(server.statistics.stuckWorkers == 0)
    }

    @Test func clientOfOurOwnReadsTheReply() throws {
        let server = try start()
        defer { _ = server.stop(within: 5) }
        let client = try WorkerClient(to: .unix(path: folder.socketPath))
        let long = String(repeating: "y", count: 300)
        let bytes = try client.get([(name: "PATH", value: "x"), (name: "LONG", value: long)])
        #expect(String(decoding: bytes, as: UTF8.self) == reply("x 0 0"))
    }

    @Test func clientOfOurOwnSaysWhatIsWrong() {
        #expect(throws: FastCGIError.system("connect to unix:/nonexistent", "No such file or directory")) {
            _ = try WorkerClient(to: .unix(path: "/nonexistent"))
        }
    }

    @Test func stoppingAnswersWhatRuns() throws {
        let server = try start()
        let kept = try Client(folder.socketPath)
        kept.send(Record.request([("PATH", "x")]))
        _ = try kept.readReply()
        let slow = try Client(folder.socketPath)
        slow.send(Record.request([("PATH", "slow")]))
        usleep(50_000)
        // Connected and not yet accepted, or idle and kept: whatever has reached the worker is answered.
        let late = try Client(folder.socketPath)
        late.send(Record.request([("PATH", "late")]))
        #expect(server.stop(within: 5))
        let slowReply = try slow.readReply()
        #expect(slowReply.output == reply("performed"))
        #expect(slowReply.last?.type == 10, "a farewell follows the last reply of a connection")
        #expect(try late.readReply().output == reply("late 0 0"))
        #expect(unsafe access(folder.socketPath, F_OK) != 0)
    }

    @Test func stoppingIsBounded() throws {
        let server = try start()
        let slow = try Client(folder.socketPath)
        slow.send(Record.request([("PATH", "slow")]))
        usleep(50_000)
        #expect(server.stop(within: 0) == false)
        #expect(try slow.readReply().output == reply("performed"))
    }
}
