import Glibc
import Synchronization

@testable import FastCGI

/// Answers with what it was asked; `PATH` says how.
struct Echo: Application {
    let performed = Counter()
    let sharedAnswers = Counter()
    let slowAnswers = Counter()
    let abandoned = Counter()

    final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    var gatherings: [GatheringRule] { [.everyone, .groups(of: 3)] }

    func makeWorker() -> Int { 0 }

    func receive(_ request: borrowing Request, _ worker: Int) -> Verdict<Int> {
        switch request.parameter("PATH").map({ String(decoding: $0, as: UTF8.self) }) {
        case "heavy":
            return request.readBody { _ in true } ? .heavy(0) : .abandoned
        case "slow":
            return request.readBody { _ in true } ? .heavy(300_000) : .abandoned
        case "shared":
            return request.readBody { _ in true } ? .shared(0, gathering: 0) : .abandoned
        case "grouped":
            return request.readBody { _ in true } ? .shared(1, gathering: 1) : .abandoned
        case "grouped-slow-answer":
            return request.readBody { _ in true } ? .shared(2, gathering: 1) : .abandoned
        case "grouped-long":
            return request.readBody { _ in true } ? .shared(3, gathering: 1) : .abandoned
        case "unread":
            return .reply(text("unread"))
        case "heavy-unread":
            return .heavy(0)
        case "shared-unread":
            return .shared(0, gathering: 0)
        case "asking":
            var path: [UInt8]?
            let isWhole = request.readBody { _ in
                path = request.parameter("PATH")
                return request.contentLength == nil
            }
            return isWhole ? .reply(text(String(decoding: path ?? [], as: UTF8.self))) : .abandoned
        case let path:
            var sum = 0
            var count = 0
            let isWhole = request.readBody { bytes in
                count += bytes.count
                for index in bytes.indices {
                    sum &+= Int(bytes[index])
                }
                return true
            }
            return isWhole ? .reply(text("\(path ?? "none") \(count) \(sum)")) : .abandoned
        }
    }

    func perform(_ work: Int, _ worker: Int) -> Response {
        usleep(UInt32(work))
        performed.value.wrappingAdd(1, ordering: .relaxed)
        return text("performed")
    }

    func perform(_ group: [Int], _ worker: Int) -> (_ place: Int) -> Response {
        usleep(group.contains(3) ? 2_500_000 : 100_000)
        let number = sharedAnswers.value.wrappingAdd(1, ordering: .relaxed).newValue
        return { place in
            if group[place] == 2 {
                usleep(1_000_000)
                slowAnswers.value.wrappingAdd(1, ordering: .relaxed)
            }
            return group[place] == 0 ? text("answer \(number)") : text("\(place + 1) of \(group.count)")
        }
    }

    func decline(_ work: Int) -> Response { text("declined") }

    func abandon(_ work: Int) {
        abandoned.value.wrappingAdd(1, ordering: .relaxed)
    }

    private func text(_ text: String) -> Response {
        Response(head: Array("Content-Type: text/plain\r\n".utf8), body: Array(text.utf8))
    }
}

extension Echo {
    /// Starts a server of one thread for heavy work and two for the rest.
    func serve(
        at path: String,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) throws -> Server<Echo> {
        var options = ServerOptions(processors: 1)
        options.workers = 2
        options.heavyWorkers = 1
        options.receiveTimeout = 1
        change(&options)
        let server = try Server(self, listeners: ListeningSocket.open(.unix(path: path)), options: options)
        try server.start()
        return server
    }

    /// All that a client receives of a reply.
    static func reply(_ body: String) -> String {
        "Content-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
