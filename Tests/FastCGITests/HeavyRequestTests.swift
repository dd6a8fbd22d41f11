import Glibc
import Synchronization
import Testing

@testable import FastCGI

/// Requests that wait for a heavy worker, or for an answer that they share.
@Suite(.serialized) struct HeavyRequestTests {
    private let folder = TemporaryFolder()
    private let application = Echo()

    private func start(_ change: (inout ServerOptions) -> Void = { _ in }) throws -> Server<Echo> {
        try application.serve(at: folder.socketPath, change)
    }

    private func reply(_ body: String) -> String { Echo.reply(body) }

    @Test func requestsThatWaitTogetherShareAnAnswerBegunAfterTheyCame() throws {
        let server = try start()
        defer { _ = server.stop(within: 10) }
        let first = try Client(folder.socketPath)
        first.send(Record.request([("PATH", "shared")]))
        usleep(30_000)
        let others = try (0..<5).map { _ in try Client(folder.socketPath) }
        for client in others {
            client.send(Record.request([("PATH", "shared")]))
        }
        // One thread works on the answer, the other is free.
        let quick = try Client(folder.socketPath)
        quick.send(Record.request([("PATH", "quick")]))
        #expect(try quick.readReply().output == reply("quick 0 0"))
        #expect(application.sharedAnswers.value.load(ordering: .relaxed) == 0)
        #expect(try first.readReply().output == reply("answer 1"))
        for client in others {
            #expect(try client.readReply().output == reply("answer 2"))
        }
        first.send(Record.request([("PATH", "shared")]))
        #expect(try first.readReply().output == reply("answer 3"))
    }

    @Test func requestsOfAGroupHaveAnswersOfTheirOwn() throws {
        let server = try start { $0.workers = 3 }
        defer { _ = server.stop(within: 10) }
        let clients = try (0..<8).map { _ in try Client(folder.socketPath) }
        clients[0].send(Record.request([("PATH", "grouped")]))
        usleep(30_000)
        for client in clients.dropFirst() {
            client.send(Record.request([("PATH", "grouped")]))
            usleep(5_000)
        }
        let replies = try clients.map { try $0.readReply().output }
        // With one core there is one group at a time.
        let places = ["1 of 1", "1 of 3", "2 of 3", "3 of 3", "1 of 3", "2 of 3", "3 of 3", "1 of 1"]
        #expect(replies == places.map { reply($0) })
    }

    @Test func nobodyWaitsForTheAnswersOfTheGroupBefore() throws {
        let server = try start { $0.workers = 3 }
        defer { _ = server.stop(within: 10) }
        let first = try Client(folder.socketPath)
        first.send(Record.request([("PATH", "grouped-slow-answer")]))
        wait(server, requests: 1)
        let second = try Client(folder.socketPath)
        second.send(Record.request([("PATH", "grouped")]))
        // Nothing else arrives that could make a thread look.
        #expect(try second.readReply().output == reply("1 of 1"))
        #expect(application.slowAnswers.value.load(ordering: .relaxed) == 0)
        #expect(try first.readReply().output == reply("1 of 1"))
    }

    /// Waits until a server has read so many requests, and had time to do with them what it does at once.
    private func wait(_ server: Server<Echo>, requests: Int) {
        var attempts = 0
        while server.statistics.requests < requests, attempts < 1000 {
            usleep(5_000)
            attempts += 1
        }
        usleep(50_000)
    }

    /// Two groups that take long, which is as many as there may be with one core.
    private func holdGroups(_ server: Server<Echo>) throws -> [Client] {
        try (1...2).map { number in
            let client = try Client(folder.socketPath)
            client.send(Record.request([("PATH", "grouped-long")]))
            wait(server, requests: number)
            usleep(100_000)
            return client
        }
    }

    @Test func groupThatTakesLongDoesNotHoldTheNext() throws {
        let server = try start { $0.workers = 3 }
        defer { _ = server.stop(within: 10) }
        let long = try Client(folder.socketPath)
        long.send(Record.request([("PATH", "grouped-long")]))
        wait(server, requests: 1)
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "grouped")]))
        #expect(try next.readReply().output == reply("1 of 1"))
        // The number of groups that were done is its own.
        #expect(application.sharedAnswers.value.load(ordering: .relaxed) == 1)
        #expect(try long.readReply().output == reply("1 of 1"))
    }

    @Test func requestsThatWaitTooLongForAGroupAreDeclined() throws {
        let server = try start {
            $0.workers = 4
            $0.heavyWait = -1
        }
        defer { _ = server.stop(within: 10) }
        let held = try holdGroups(server)
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "grouped")]))
        wait(server, requests: 3)
        server.expireWaiting()
        #expect(try client.readReply().output == reply("declined"))
        for client in held {
            #expect(try client.readReply().output == reply("1 of 1"))
        }
    }

    @Test func requestsBeyondTheRoomOfAGatheringAreDeclined() throws {
        let server = try start {
            $0.workers = 4
            $0.heavyQueue = 1
        }
        defer { _ = server.stop(within: 10) }
        let held = try holdGroups(server)
        let clients = try (0..<2).map { _ in try Client(folder.socketPath) }
        for (number, client) in clients.enumerated() {
            client.send(Record.request([("PATH", "grouped")]))
            wait(server, requests: 3 + number)
        }
        #expect(try clients[1].readReply().output == reply("declined"))
        for client in held + [clients[0]] {
            #expect(try client.readReply().output == reply("1 of 1"))
        }
    }

    @Test func clientThatLeftIsInNoGroup() throws {
        let server = try start { $0.workers = 4 }
        defer { _ = server.stop(within: 10) }
        let held = try holdGroups(server)
        do {
            let leaver = try Client(folder.socketPath)
            leaver.send(Record.request([("PATH", "grouped")]))
            wait(server, requests: 3)
        }
        let patient = try Client(folder.socketPath)
        patient.send(Record.request([("PATH", "grouped")]))
        #expect(try patient.readReply().output == reply("1 of 1"))
        #expect(application.abandoned.value.load(ordering: .relaxed) == 1)
        for client in held {
            #expect(try client.readReply().output == reply("1 of 1"))
        }
    }

    @Test func heavyRequestsDoNotHoldQuickOnes() throws {
        let server = try start()
        defer { _ = server.stop(within: 10) }
        let heavy = try (0..<8).map { _ in try Client(folder.socketPath) }
        for client in heavy {
            client.send(Record.request([("PATH", "slow")]))
        }
        let quick = try Client(folder.socketPath)
        quick.send(Record.request([("PATH", "quick")]))
        #expect(try quick.readReply().output == reply("quick 0 0"))
        #expect(application.performed.value.load(ordering: .relaxed) < 8)
        for client in heavy {
            #expect(try client.readReply().output == reply("performed"))
        }
    }

    @Test func heavyRequestsBeyondTheQueueAreDeclined() throws {
        let server = try start { $0.heavyQueue = 1 }
        defer { _ = server.stop(within: 10) }
        let clients = try (0..<6).map { _ in try Client(folder.socketPath) }
        for client in clients {
            client.send(Record.request([("PATH", "slow")]))
        }
        let replies = try clients.map { try $0.readReply().output }
        #expect(replies.contains(reply("declined")))
        #expect(replies.contains(reply("performed")))
    }

    @Test func heavyRequestsThatWaitedTooLongAreDeclined() throws {
        let server = try start { $0.heavyWait = -1 }
        defer { _ = server.stop(within: 10) }
        let first = try Client(folder.socketPath)
        first.send(Record.request([("PATH", "slow")]))
        usleep(100_000)
        let second = try Client(folder.socketPath)
        second.send(Record.request([("PATH", "slow")]))
        usleep(50_000)
        server.expireWaiting()
        #expect(try second.readReply().output == reply("declined"))
        #expect(try first.readReply().output == reply("performed"))
    }

    @Test func heavyWorkOfAClientThatLeftIsNotDone() throws {
        let server = try start()
        let first = try Client(folder.socketPath)
        first.send(Record.request([("PATH", "slow")]))
        usleep(100_000)
        do {
            let leaver = try Client(folder.socketPath)
            leaver.send(Record.request([("PATH", "heavy")]))
            usleep(50_000)
        }
        #expect(try first.readReply().output == reply("performed"))
        #expect(server.stop(within: 5))
        #expect(application.performed.value.load(ordering: .relaxed) == 1)
    }
}
