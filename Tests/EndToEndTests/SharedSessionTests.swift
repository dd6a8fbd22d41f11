import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// One session in use by php-fpm and the worker at the same time, as while an administrator switches over.
@Suite(.serialized) struct SharedSessionTests {
    private static let stored = #"{"successful":1}"#
    private static let refused = #"{"error":"Authorization required"}"#

    /// What a client that keeps asking has been told.
    private struct Replies: Sendable {
        /// Uploads until the client learnt that somebody logs out, and after that was acknowledged.
        var before: Set<String> = []
        var after: Set<String> = []
        var streams: Set<String> = []
        var statuses: Set<Int> = []
        var count = 0
    }

    /// How far the test has come, for all its clients.
    private final class Progress: @unchecked Sendable {
        // @unchecked: `stage` is touched only under `lock`.
        enum Stage: Int { case loggedIn, loggingOut, loggedOut, over }

        private let lock = NSLock()
        private var stage = Stage.loggedIn

        var now: Stage {
            get { lock.withLock { stage } }
            set { lock.withLock { stage = newValue } }
        }
    }

    /// Uploads and lists in turn until the test is over.
    private static func keepAsking(_ url: String, _ jar: CookieJar, _ progress: Progress) throws -> Replies {
        var client = try SiteClient(url, jar: jar)
        var replies = Replies()
        let parts: [Multipart.Part] = [
            .field("command", "upload"), .field("title", "t"), .file("file", Sample.baseline),
        ]
        while progress.now != .over {
            let begun = progress.now
            let upload = try client.send(ContractRequest(body: .multipart(Multipart(parts: parts))))
            let ended = progress.now
            if ended == .loggedIn { replies.before.insert(upload.text) }
            if begun == .loggedOut || begun == .over { replies.after.insert(upload.text) }
            let list = try client.send(ContractRequest(body: .form([("command", "stream")])))
            replies.streams.insert(String(list.text.prefix(11)))
            replies.statuses.formUnion([upload.status, list.status])
            replies.count += 1
        }
        return replies
    }

    @Test(arguments: [true, false])
    func oneSessionInFlightOnBoth(phpFirst: Bool) throws {
        // A client's upload holds PHP's lock while the photo is scaled; the lists wait for it.
        let site = try Site(.legacy, on: Servers.utf8mb4(), workers: 2)
        let php = try PHPNeighbour(of: site, sharesSessions: true)
        let (first, second) = phpFirst ? (php.url, site.url) : (site.url, php.url)
        var client = try SiteClient(first)
        try client.register("bob")
        let jar = client.jar
        var other = try SiteClient(second, jar: jar)
        #expect(try other.upload(Sample.baseline) == Self.stored)

        let progress = Progress()
        let urls = [php.url, site.url, php.url, site.url]
        let crowd = Crowd(4) { number in try Self.keepAsking(urls[number], jar, progress) }
        for _ in 1...30 {
            #expect(try client.upload(Sample.baseline) == Self.stored)
            #expect(try other.upload(Sample.baseline) == Self.stored)
        }
        let name = "sess_\(try #require(jar.session))"
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.sessions) == [name])
        let content = #"IdUser|s:1:"1";"#
        #expect(try String(contentsOfFile: "\(site.sessions)/\(name)", encoding: .utf8) == content)
        progress.now = .loggingOut
        #expect(try client.post(["command": "logout"]) == "")
        progress.now = .loggedOut
        for _ in 1...10 {
            #expect(try client.upload(Sample.baseline) == Self.refused)
            #expect(try other.upload(Sample.baseline) == Self.refused)
        }
        progress.now = .over
        for replies in try crowd.wait() {
            #expect(replies.before == [Self.stored], "nobody is logged out before")
            #expect(replies.after.isSubset(of: [Self.refused]), "and everybody after")
            #expect(replies.streams == [#"{"result":["#])
            #expect(replies.statuses == [200])
            #expect(replies.count > 5)
        }
        #expect(!php.log.contains("PHP Warning"), "\(php.log)")
        // PHP begins an empty session for an id that it does not know, the worker none.
        for file in try FileManager.default.contentsOfDirectory(atPath: site.sessions) {
            #expect(try String(contentsOfFile: "\(site.sessions)/\(file)", encoding: .utf8) == "")
        }
    }

    @Test(arguments: [true, false])
    func loginOnOneWhileTheOtherIsAsked(phpFirst: Bool) throws {
        let site = try Site(.legacy, on: Servers.utf8mb4())
        let php = try PHPNeighbour(of: site, sharesSessions: true)
        let (first, second) = phpFirst ? (php.url, site.url) : (site.url, php.url)
        var client = try SiteClient(first)
        try client.register("bob")
        for _ in 1...10 {
            // Whatever one of them writes, the other reads.
            let login: KeyValuePairs = ["command": "login", "username": "bob", "password": "secret"]
            #expect(try client.post(login) == #"{"result":[{"IdUser":"1","username":"bob"}]}"#)
            var other = try SiteClient(second, jar: client.jar)
            #expect(try other.upload(Sample.baseline) == Self.stored)
            #expect(try other.post(login) == #"{"result":[{"IdUser":"1","username":"bob"}]}"#)
            client = try SiteClient(first, jar: other.jar)
            #expect(try client.upload(Sample.baseline) == Self.stored)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.sessions).count == 1)
    }
}
