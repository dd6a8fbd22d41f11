import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Uploads while the worker, and now and then the database, are killed.
///
/// `IREPORTER_CRASH_UPLOADS` sets how many; `deploy/crash-test` runs it at full size.
@Suite(.serialized) struct CrashTests {
    private static let uploads =
        ProcessInfo.processInfo.environment["IREPORTER_CRASH_UPLOADS"].flatMap { Int($0) } ?? 60

    @Test(arguments: [Schema.current, .legacy])
    func everyAcknowledgedPhotoIsThereWhole(schema: Schema) throws {
        var options = MariaDBServer.Options(characterSet: "utf8mb4")
        options.more = ["--innodb-flush-log-at-trx-commit=1"]
        let site = try Site(schema, on: MariaDBServer(options))
        var client = try site.client()
        try client.register("bob")
        let url = site.url
        let jar = client.jar
        let stop = Flag()
        let share = Self.uploads / 3
        let uploaders = Crowd(3) { number in
            var acknowledged: [String] = []
            for index in 0..<share {
                let title = "u\(number)-\(index)"
                // The connection may break in the middle, or nginx answer in the worker's place.
                for _ in 0..<40 {
                    var client = try SiteClient(url, jar: jar)
                    let reply = try? client.upload(Self.photo(title), title: title)
                    if reply == #"{"successful":1}"# {
                        acknowledged.append(title)
                        break
                    }
                    Thread.sleep(forTimeInterval: 0.1)
                }
            }
            return acknowledged
        }
        let watcher = Crowd(1) { _ in
            var halves: [String] = []
            while !stop.isSet {
                Thread.sleep(forTimeInterval: 0.05)
                var client = try SiteClient(url)
                guard let list = try? client.post(["command": "stream"]) else { continue }
                for match in list.matches(of: /"IdPhoto":"(\d+)"/).prefix(3) {
                    for name in ["upload/\(match.1).jpg", "upload/\(match.1)-thumb.jpg"] {
                        if let reply = try? client.get(name), reply.status != 200 {
                            halves.append("\(name) \(reply.status)")
                        }
                    }
                }
            }
            return halves
        }
        var round = 0
        while !uploaders.isFinished {
            // The first one soon, so that there is one however quick the uploads are.
            Thread.sleep(forTimeInterval: round == 0 ? 0.05 : Double.random(in: 0.3...0.9))
            round += 1
            if round % 4 == 0 {
                site.server.kill()
                Thread.sleep(forTimeInterval: 0.2)
                try site.server.start()
            } else {
                site.worker.kill()
                try site.restartWorker()
            }
        }
        let acknowledged = try uploaders.wait().flatMap(\.self)
        stop.set()
        #expect(try watcher.wait().flatMap(\.self) == [], "what is shown is there")
        #expect(acknowledged.count == share * 3)
        #expect(round >= 1)
        try expectWhole(acknowledged, on: site)
        try expectRepairable(site)
        try expectWhole(acknowledged, on: site)
    }

    /// Every title has a row of its user with both files, the photo byte for byte.
    private func expectWhole(_ titles: [String], on site: Site) throws {
        let rows = try site.sql("SELECT title, MIN(IdPhoto) FROM photos WHERE IdUser = 1 GROUP BY title")
        let ids = Dictionary(
            uniqueKeysWithValues: rows.split(separator: "\n").map { line in
                let columns = line.split(separator: "\t")
                return (String(columns[0]), String(columns[1]))
            }
        )
        for title in titles {
            let id = try #require(ids[title], "\(title) has a row")
            let photo = FileManager.default.contents(atPath: "\(site.uploads)/\(id).jpg")
            #expect(photo.map { Array($0) } == Self.photo(title), "\(title)")
            let thumbnail = FileManager.default.contents(atPath: "\(site.uploads)/\(id)-thumb.jpg")
            #expect(thumbnail.flatMap { JPEGFrame(Array($0)) }?.width == 90, "\(title)")
        }
    }

    /// `fsck` repairs whatever the crashes have left, and finds nothing afterwards.
    private func expectRepairable(_ site: Site) throws {
        let repair = try WorkerProcess(
            ["fsck", "--repair", "--delete-rows", "--grace", "0"],
            environment: site.environment
        )
        #expect(repair.wait() == 0)
        for line in repair.standardOutput.split(separator: "\n").dropLast(2) {
            let isExpected = ["no row belongs to it", "an upload that was not finished", "left behind"]
                .contains { line.contains($0) }
            #expect(isExpected, "\(line)")
        }
        let check = try WorkerProcess(["fsck", "--grace", "0"], environment: site.environment)
        #expect(check.wait() == 0)
        #expect(check.standardOutput.contains("\n0 findings, "), "\(check.standardOutput)")
    }

    /// A photo that tells its title: a comment segment after the first marker.
    private static func photo(_ title: String) -> [UInt8] {
        let comment = [0xFF, 0xFE, 0, UInt8(title.utf8.count + 2)] + Array(title.utf8)
        return Array(Sample.noisy.prefix(2)) + comment + Array(Sample.noisy.dropFirst(2))
    }
}
