import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// The kept list of the newest photos shows what it must, however fast it is asked while others write.
@Suite(.serialized) struct ExactStreamTests {
    /// Of each kind of tables; ten thousand together.
    private static let reads = 5_000

    /// What the writers were told, in the order in which they were told.
    private final class Record: @unchecked Sendable {
        // @unchecked: everything is touched only under `lock`.
        private let lock = NSLock()
        private var titles: [String] = []
        private var deletions: [(id: Int, done: Date)] = []
        private var renamings: [(version: Int, done: Date)] = []
        private var isOver = false

        /// Titles of acknowledged uploads.
        var acknowledged: [String] { lock.withLock { titles } }
        var acknowledgedCount: Int { lock.withLock { titles.count } }
        var deleted: [(id: Int, done: Date)] { lock.withLock { deletions } }
        var renamed: [(version: Int, done: Date)] { lock.withLock { renamings } }
        var isFinished: Bool { lock.withLock { isOver } }

        func acknowledge(_ title: String) { lock.withLock { titles.append(title) } }
        func delete(_ id: Int) { lock.withLock { deletions.append((id, Date())) } }
        func rename(to version: Int) { lock.withLock { renamings.append((version, Date())) } }
        func finish() { lock.withLock { isOver = true } }
    }

    /// One read of the list.
    private struct Read: Sendable {
        let begun: Date
        /// How many uploads had been acknowledged when it began.
        let acknowledged: Int
        let ids: [Int]
        /// The oldest name that the renamed user is shown with.
        let version: Int?
    }

    @Test(arguments: [Schema.legacy, .current])
    func twoWorkersPHPAndSQLWriteAndReadersSeeNothingStale(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4(), workers: 2)
        let neighbour = try PHPNeighbour(of: site)
        let isTransactional = if case .current = schema { true } else { false }
        let record = Record()
        var renamed = try site.client()
        let user = try renamed.register("name-0")

        let (url, phpURL, server, database) = (site.url, neighbour.url, site.server, site.database)
        let uploaders = Crowd(3) { number in
            // The last one's way is PHP.
            var client = try SiteClient(number < 2 ? url : phpURL)
            try client.register("writer\(number)")
            var count = 0
            while !record.isFinished {
                count += 1
                let title = "w\(number)-\(count)"
                guard try client.upload(Sample.baseline, title: title) == #"{"successful":1}"# else {
                    throw TestFailure("an upload failed")
                }
                record.acknowledge(title)
                // As fast as the machine can, the list would never be the same twice.
                usleep(UInt32.random(in: 0...20_000))
            }
        }
        let editor = Crowd(1) { _ in
            var count = 0
            while !record.isFinished {
                count += 1
                let insert = "INSERT INTO photos (title, IdUser) VALUES ('s\(count)', \(user));"
                // A row that becomes visible after rows with greater ids.
                let late = "START TRANSACTION; \(insert) DO SLEEP(0.05); COMMIT"
                try server.run(isTransactional && count % 2 == 0 ? late : insert, database: database)
                record.acknowledge("s\(count)")
                if count % 4 == 0 {
                    let id = Int(try server.run("SELECT MAX(IdPhoto) - 5 FROM photos", database: database).trimmed)
                    try server.run("DELETE FROM photos WHERE IdPhoto = \(id ?? 0)", database: database)
                    record.delete(id ?? 0)
                }
                if count % 4 == 2 {
                    let rename = "UPDATE login SET username = 'name-\(count)' WHERE IdUser = \(user)"
                    try server.run(rename, database: database)
                    record.rename(to: count)
                }
            }
        }
        let readers = Crowd(4) { _ in
            var client = try SiteClient(url)
            return try (0..<Self.reads / 4).map { _ in try Self.read(&client, record) }
        }
        let reads = try readers.wait().flatMap { $0 }
        record.finish()
        _ = try uploaders.wait()
        _ = try editor.wait()

        var ids: [String: Int] = [:]
        for line in try site.sql("SELECT title, IdPhoto FROM photos").split(separator: "\n") {
            let columns = line.split(separator: "\t")
            ids[String(columns[0])] = Int(columns[1])
        }
        #expect(reads.count == Self.reads)
        #expect(Self.missing(in: reads, record, ids) == [])
        #expect(Self.outdated(in: reads, record) == [])
        #expect(record.acknowledgedCount > 50)
        #expect(Set(reads.map(\.ids)).count > 20, "the list has changed while it was read")
    }

    private static func read(_ client: inout SiteClient, _ record: Record) throws -> Read {
        let acknowledged = record.acknowledgedCount
        let begun = Date()
        let reply = try client.post(["command": "stream"])
        guard let object = try JSONSerialization.jsonObject(with: Data(reply.utf8)) as? [String: Any],
            let rows = object["result"] as? [[String: String]]
        else {
            throw TestFailure("not a list: \(reply.prefix(200))")
        }
        let versions = rows.compactMap { $0["username"] }.filter { $0.hasPrefix("name-") }
            .compactMap { Int($0.dropFirst(5)) }
        return Read(
            begun: begun,
            acknowledged: acknowledged,
            ids: rows.compactMap { $0["IdPhoto"].flatMap { Int($0) } },
            version: versions.min()
        )
    }

    /// Photos that were acknowledged before a read began and that it does not show, though it shows older ones or
    /// has room.
    private static func missing(in reads: [Read], _ record: Record, _ ids: [String: Int]) -> [String] {
        let acknowledged = record.acknowledged
        return reads.flatMap { read -> [String] in
            let shown = Set(read.ids)
            let lowest = read.ids.count < 50 ? 0 : read.ids[read.ids.count - 1]
            // A photo that was deleted is in nobody's `ids`.
            return acknowledged.prefix(read.acknowledged).filter { title in
                ids[title].map { $0 > lowest && !shown.contains($0) } ?? false
            }
        }
    }

    /// Deleted photos and old names that a read shows a second or more after they were gone.
    private static func outdated(in reads: [Read], _ record: Record) -> [String] {
        let deletions = record.deleted
        let renamings = record.renamed
        return reads.flatMap { read -> [String] in
            let limit = read.begun.addingTimeInterval(-1)
            let newest = renamings.last { $0.done <= limit }?.version ?? 0
            let oldName = read.version.flatMap { $0 < newest ? "name-\($0) after name-\(newest)" : nil }
            let ghosts = deletions.filter { $0.done <= limit && read.ids.contains($0.id) }.map { "photo \($0.id)" }
            return ghosts + (oldName.map { [$0] } ?? [])
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .newlines) }
}
