import Foundation
import TestSupport

@testable import ContractSuite

/// People who use a site all the time, and to whom nothing wrong may happen.
///
/// Every reply is compared with the one that is right at that moment. The first one that is not ends the visit, and
/// `progress` and `end` throw what it was.
final class Traffic: @unchecked Sendable {
    // @unchecked: what changes is touched only under `lock`.
    private let lock = NSLock()
    private var rounds: [Int]
    private var repliesOfPHP = 0
    private var replies = 0
    private var photos: [String: [UInt8]] = [:]
    private var complaint: String?
    private var isOver = false
    private var isResting = false
    private var restingPeople = 0
    private var crowd: Crowd<Void>!

    /// Lets people in.
    init(_ count: Int, at url: String) {
        rounds = [Int](repeating: 0, count: count)
        crowd = Crowd(count) { [self] number in
            do {
                var person = try Person(number, at: url, in: self)
                while lock.withLock({ !isOver && complaint == nil }) {
                    try person.visit()
                    lock.withLock { rounds[number] += 1 }
                    rest()
                }
            } catch {
                lock.withLock { complaint = complaint ?? "person \(number): \(error)" }
            }
        }
    }

    /// Waits until everybody has been through everything some times more.
    ///
    /// - Returns: how many replies came from PHP meanwhile, and how many from elsewhere; what had begun before does
    ///   not count.
    func progress(_ count: Int = 2) throws -> (php: Int, worker: Int) {
        try wait(1)
        let before = lock.withLock { (repliesOfPHP, replies) }
        try wait(count)
        let after = lock.withLock { (repliesOfPHP, replies) }
        let php = after.0 - before.0
        return (php, after.1 - before.1 - php)
    }

    private func wait(_ count: Int) throws {
        let goals = lock.withLock { rounds.map { $0 + count } }
        let isReached = { [self] in zip(rounds, goals).allSatisfy { $0 >= $1 } }
        _ = waitUntil(within: 60) { lock.withLock { complaint != nil || isReached() } }
        if let complaint = lock.withLock({ complaint }) { throw TestFailure(complaint) }
        guard lock.withLock(isReached) else { throw TestFailure("nobody gets on: \(rounds) of \(goals)") }
    }

    /// Lets everybody rest while something is done.
    func pause(_ body: () throws -> Void) throws {
        lock.withLock { isResting = true }
        let isQuiet = { [self] in restingPeople == rounds.count }
        _ = waitUntil(within: 60) { lock.withLock { complaint != nil || isQuiet() } }
        if let complaint = lock.withLock({ complaint }) { throw TestFailure(complaint) }
        guard lock.withLock(isQuiet) else { throw TestFailure("somebody does not get to rest") }
        try body()
        lock.withLock { isResting = false }
    }

    private func rest() {
        lock.withLock { restingPeople += 1 }
        while lock.withLock({ isResting && !isOver }) { usleep(5_000) }
        lock.withLock { restingPeople -= 1 }
    }

    /// Sends everybody home.
    ///
    /// - Returns: every photo that was said to be stored, by its title.
    func end() throws -> [String: [UInt8]] {
        lock.withLock { isOver = true }
        _ = try crowd.wait()
        if let complaint = lock.withLock({ complaint }) { throw TestFailure(complaint) }
        return lock.withLock { photos }
    }

    fileprivate func note(_ reply: HTTPReply) {
        lock.withLock {
            replies += 1
            repliesOfPHP += reply.values(of: "X-Side") == ["PHP"] ? 1 : 0
        }
    }

    fileprivate func stored(_ photo: [UInt8], _ title: String) {
        lock.withLock { photos[title] = photo }
    }
}

/// One of them.
private struct Person {
    private let name: String
    private let number: Int
    private let identifier: String
    private let url: String
    private unowned let traffic: Traffic
    private var client: SiteClient
    private var round = 0

    init(_ number: Int, at url: String, in traffic: Traffic) throws {
        self.number = number
        self.url = url
        self.traffic = traffic
        name = "person \(number)"
        client = try Self.visitor(url)
        identifier = try client.register(name)
    }

    /// With a connection for each request: one that is kept may be closed while the request is on its way, whenever
    /// nginx is told to reload, and is then the client's to repeat.
    private static func visitor(_ url: String) throws -> SiteClient {
        var client = try SiteClient(url)
        client.keepsConnections = false
        return client
    }

    private var account: String { #"{"result":[{"IdUser":"\#(identifier)","username":"\#(name)"}]}"# }

    /// Uploads a photo and looks for it, as everybody else does; some log out and in, some never do.
    mutating func visit() throws {
        round += 1
        let title = "\(name), größer / \(round)"
        let photo = Self.photo(title)
        try expect(#"{"successful":1}"#, try upload(photo, title))
        traffic.stored(photo, title)
        let id = try find(title)
        let row = #"{"IdPhoto":"\#(id)","title":"\#(escaped(title))","IdUser":"\#(identifier)","username":"\#(name)"}"#
        try expect(#"{"result":[\#(row)]}"#, try post(["command": "stream", "IdPhoto": id]))
        try look(id, photo)
        if number % 2 == 1 {
            try expect("", try post(["command": "logout"]))
            try expect(#"{"error":"Authorization required"}"#, try upload(photo, title))
            // Now and then: the worker counts wrong guesses, and stops listening at a hundred.
            if round % 10 == 1 {
                try expect(
                    #"{"error":"Authorization failed"}"#,
                    try post(["command": "login", "username": name, "password": "guess"])
                )
            }
            try expect(account, try post(["command": "login", "username": name, "password": "secret"]))
        }
        if round % 3 == 0 {
            var newcomer = try Self.visitor(url)
            try newcomer.register("\(name)-\(round)")
        }
    }

    private func expect(_ wanted: String, _ got: String) throws {
        guard wanted == got else { throw TestFailure("round \(round): got \(got), not \(wanted)") }
    }

    private func escaped(_ text: String) -> String {
        text.replacing("ö", with: #"\u00f6"#).replacing("ß", with: #"\u00df"#).replacing("/", with: #"\/"#)
    }

    private mutating func post(_ fields: KeyValuePairs<String, String>) throws -> String {
        try send(.form(fields.map { ($0.key, Template(bytes: $0.value.utf8)) }))
    }

    private mutating func upload(_ photo: [UInt8], _ title: String) throws -> String {
        let fields: [Multipart.Part] = [.field("command", "upload"), .field("title", .init(bytes: title.utf8))]
        return try send(.multipart(Multipart(parts: fields + [.file("file", photo)])))
    }

    private mutating func send(_ body: ContractRequest.Body) throws -> String {
        let reply = try client.send(ContractRequest(body: body))
        traffic.note(reply)
        return reply.text
    }

    private mutating func find(_ title: String) throws -> String {
        let list = try post(["command": "stream"])
        guard let end = list.range(of: #"","title":"\#(escaped(title))""#)?.lowerBound,
            let start = list[..<end].range(of: #""IdPhoto":""#, options: .backwards)?.upperBound
        else {
            throw TestFailure("round \(round): the photo is not in the list: \(list)")
        }
        return String(list[start..<end])
    }

    private mutating func look(_ id: String, _ photo: [UInt8]) throws {
        let whole = try client.get("upload/\(id).jpg")
        let thumbnail = try client.get("upload/\(id)-thumb.jpg")
        guard whole.status == 200, whole.body == photo else {
            throw TestFailure("round \(round): photo \(id) is not what was sent (\(whole.status))")
        }
        guard thumbnail.status == 200, thumbnail.body.starts(with: [0xFF, 0xD8]) else {
            throw TestFailure("round \(round): photo \(id) has no thumbnail (\(thumbnail.status))")
        }
    }

    /// A photo that is nobody else's: with a comment behind its first marker.
    private static func photo(_ comment: String) -> [UInt8] {
        let text = Array(comment.utf8)
        let length = UInt16(text.count + 2)
        return Sample.baseline[..<2] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + text
            + Sample.baseline[2...]
    }
}
