import Synchronization
import Testing

@testable import FastCGI

/// What a web server other than nginx might send, and what the protocol says to that.
@Suite(.serialized) struct ProtocolTests {
    private let folder = TemporaryFolder()
    private let application = Echo()

    private func reply(_ body: String) -> String { Echo.reply(body) }

    /// Begins a request of a number in a role.
    private func start(_ number: UInt16, role: UInt8 = 1, keep: Bool = true) -> [UInt8] {
        Record(type: 1, requestID: number, content: [0, role, keep ? 1 : 0, 0, 0, 0, 0, 0]).bytes
    }

    @Test func valuesAreTold() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record(type: 9, requestID: 0, content: [15, 0] + Array("FCGI_MPXS_CONNS".utf8)).bytes)
        let answer: [UInt8] = [1, 10, 0, 0, 0, 18, 0, 0, 15, 1] + Array("FCGI_MPXS_CONNS0".utf8)
        #expect(client.read(26) == answer)
        // It is a connection like any other.
        client.send(Record.request([("PATH", "x")]))
        #expect(try client.readReply().output == reply("x 0 0"))
        // What is not known is left out.
        client.send(Record(type: 9, requestID: 0, content: [14, 0] + Array("FCGI_MAX_CONNS".utf8)).bytes)
        #expect(client.read(8) == [1, 10, 0, 0, 0, 0, 0, 0])
    }

    /// Whoever reads no answers gets none, and holds nobody.
    @Test func answersThatNobodyReadsEndTheConnection() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let deaf = try (0..<2).map { _ in try Client(folder.socketPath) }
        for client in deaf {
            client.send((0..<2000).flatMap { _ in Record(type: 99, requestID: 0).bytes })
        }
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "x")]))
        #expect(try next.readReply().output == reply("x 0 0"))
    }

    @Test func unknownQuestionsAreAnsweredSo() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record(type: 77, requestID: 0, content: [1, 2, 3]).bytes + Record.request([("PATH", "x")]))
        #expect(client.read(16) == [1, 11, 0, 0, 0, 8, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0])
        #expect(try client.readReply().output == reply("x 0 0"))
    }

    @Test func otherRolesAreRefused() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        let rest = Record(type: 4, requestID: 9).bytes + Record(type: 5, requestID: 9).bytes
        client.send(start(9, role: 2) + rest)
        #expect(client.read(16) == [1, 3, 0, 9, 0, 8, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0])
        client.send(Record.request([("PATH", "x")]))
        #expect(try client.readReply().output == reply("x 0 0"))
        let other = try Client(folder.socketPath)
        other.send(start(9, role: 3, keep: false) + rest)
        #expect(other.read(16) == [1, 3, 0, 9, 0, 8, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0])
        #expect(other.isClosedByWorker())
    }

    @Test(arguments: [true, false])
    func connectionHasOneRequestAtATime(inTheBody: Bool) throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        let request = Record.request([("PATH", "x")], body: [1, 2])
        let place = inTheBody ? request.count - 8 : 16
        let other = start(2) + Record(type: 5, requestID: 2, content: [9]).bytes
        client.send(request[..<place] + other + request[place...])
        #expect(client.read(16) == [1, 3, 0, 2, 0, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(try client.readReply().output == reply("x 2 3"))
    }

    @Test func requestThatIsGivenUpEndsItsConnection() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "heavy")]).dropLast(8) + Record(type: 2).bytes)
        #expect(client.isClosedByWorker())
        #expect(application.performed.value.load(ordering: .relaxed) == 0)
    }

    /// The second is lost, so the web server has to hear of it.
    @Test func requestBeforeTheReplyEndsTheConnection() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "x")], body: [1, 2]) + Record.request([("PATH", "y")]))
        let records = try client.readReply()
        #expect(records.output == reply("x 2 3"))
        #expect(records.last?.type == 10, "a farewell, so that the web server sends no further one")
        #expect(client.isClosedByWorker())
    }

    @Test(arguments: ["unread", "heavy-unread", "shared-unread"])
    func requestThatDoesNotComeWholeIsNotAnswered(path: String) throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", path)], body: [1, 2, 3]).dropLast(10))
        #expect(try client.readReply().isEmpty)
        #expect(application.performed.value.load(ordering: .relaxed) == 0)
        #expect(application.sharedAnswers.value.load(ordering: .relaxed) == 0)
        #expect(application.abandoned.value.load(ordering: .relaxed) == (path == "unread" ? 0 : 1))
    }

    @Test func parametersCanBeAskedForWhileTheBodyIsRead() throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let client = try Client(folder.socketPath)
        client.send(Record.request([("PATH", "asking")], body: [1, 2, 3]))
        #expect(try client.readReply().output == reply("asking"))
    }

    /// More than comes, and no protocol of ours.
    @Test(arguments: [[1, 4, 0, 1, 255, 255, 255, 255], [UInt8](repeating: 255, count: 64)])
    func nonsenseEndsItsConnectionOnly(bytes: [UInt8]) throws {
        let server = try application.serve(at: folder.socketPath)
        defer { #expect(server.stop(within: 5)) }
        let broken = try Client(folder.socketPath)
        broken.send(start(1) + bytes)
        #expect(broken.isClosedByWorker())
        let next = try Client(folder.socketPath)
        next.send(Record.request([("PATH", "x")]))
        #expect(try next.readReply().output == reply("x 0 0"))
    }
}
