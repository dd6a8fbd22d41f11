import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Whatever goes wrong with an upload, nothing of it is left.
@Suite struct UploadFailureTests {
    private func site() throws -> (Site, SiteClient) {
        let site = try Site(.current, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        return (site, client)
    }

    private func expectNothingLeft(_ site: Site) throws {
        #expect(try site.uploadedFiles() == [])
        #expect(try site.sql("SELECT COUNT(*) FROM photos") == "0")
    }

    @Test(arguments: [
        [UInt8](), Array("<?php phpinfo();".utf8), Sample.gif, Array(Sample.baseline.prefix(100)),
        Array(Sample.baseline.prefix(2)), Sample.absurdlyLarge,
    ])
    func whatIsNoPhotoLeavesNothing(photo: [UInt8]) throws {
        var (site, client) = try site()
        #expect(try client.upload(photo) == #"{"error":"Upload malfunction"}"#)
        try expectNothingLeft(site)
    }

    @Test func titleThatDoesNotFitLeavesNothing() throws {
        var (site, client) = try site()
        try site.sql("ALTER TABLE photos MODIFY title varchar(10)")
        #expect(
            try client.upload(Sample.baseline, title: "more than ten letters")
                == #"{"error":"Upload database problem.Database error"}"#
        )
        try expectNothingLeft(site)
    }

    @Test func folderThatVanishedIsAServerProblemUntilItIsBack() throws {
        var (site, client) = try site()
        let moved = site.uploads + ".moved"
        try FileManager.default.moveItem(atPath: site.uploads, toPath: moved)
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload on server problem"}"#)
        #expect(try site.sql("SELECT COUNT(*) FROM photos") == "0")
        try FileManager.default.moveItem(atPath: moved, toPath: site.uploads)
        try expectNothingLeft(site)
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
    }

    @Test func visitorWhoIsNotLoggedInWritesNothing() throws {
        let (site, _) = try site()
        var stranger = try site.client()
        #expect(try stranger.upload(Sample.baseline) == #"{"error":"Authorization required"}"#)
        try expectNothingLeft(site)
    }

    @Test func clientThatLeavesInTheMiddleLeavesNothing() throws {
        let (site, client) = try site()
        let url = try ContractURL(site.url)
        let photo = Multipart(parts: [.field("command", "upload"), .file("file", Sample.heavy(comments: 20))])
        var request = ContractRequest(body: .multipart(photo))
        // More is announced than ever comes.
        request.length = .claimed("1500000")
        request.closesAfterSending = true
        let wire = try #require(WireRequest(request, to: url, scope: Scope(prefix: ""), jar: client.jar))
        var http = HTTPClient(url: url, timeout: .seconds(10))
        #expect(throws: HTTPFailure.self) { try http.exchange(wire) }
        try expectNothingLeft(site)
    }

    @Test func bodyOverTheWorkersLimitIsRefusedAndLeavesNothing() throws {
        let site = try Site(.current, on: Servers.utf8mb4(), settings: ["IREPORTER_MAX_BODY_BYTES": "100000"])
        var client = try site.client()
        try client.register("bob")
        let photo = Sample.heavy(comments: 3)
        #expect(photo.count > 100_000)
        #expect(try client.upload(photo) == #"{"error":"Upload malfunction"}"#)
        try expectNothingLeft(site)
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
    }

    /// On tables without transactions a row that nobody has yet can be deleted, as `fsck --delete-rows` does.
    @Test func rowDeletedWhileItsPhotoIsPutInPlaceIsAnError() throws {
        let site = try Site(.legacy, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        try site.sql("CREATE TRIGGER slow AFTER INSERT ON photos FOR EACH ROW DO SLEEP(5)")
        let (server, database) = (site.server, site.database)
        let deletion = Crowd(1) { _ in
            let isInserting = waitUntil(within: 30) {
                let states = try? server.run(
                    "SELECT STATE FROM information_schema.PROCESSLIST WHERE DB = '\(database)'"
                )
                return states?.contains("User sleep") == true
            }
            // Waits for the insertion, and comes before whatever the worker sends next.
            try server.run("DELETE FROM photos WHERE IdUser = 0", database: database)
            return isInserting
        }
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        #expect(try deletion.wait() == [true])
        try expectNothingLeft(site)
        try site.sql("DROP TRIGGER slow")
        #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        #expect(try site.uploadedFiles() == ["2-thumb.jpg", "2.jpg"])
    }

    @Test(arguments: [Schema.legacy, .current])
    func rowThatIsNotGivenToItsUserIsAnError(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        try site.sql("CREATE TRIGGER kept BEFORE UPDATE ON photos FOR EACH ROW SET NEW.IdUser = OLD.IdUser")
        if case .legacy = schema {
            #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
            try expectNothingLeft(site)
        } else {
            #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
        }
    }

    @Test(arguments: [Schema.legacy, .current], ["9223372036854775808", "18446744073709551614"])
    func numberBeyondTheGreatestIsAnError(schema: Schema, number: String) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        try site.sql(
            "ALTER TABLE photos MODIFY IdPhoto bigint unsigned NOT NULL AUTO_INCREMENT, AUTO_INCREMENT = \(number)"
        )
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        #expect(site.worker.isRunning)
        try expectNothingLeft(site)
    }

    @Test(arguments: [Schema.legacy, .current], ["NOT NULL DEFAULT 0", "NULL DEFAULT NULL", "NOT NULL DEFAULT 7"])
    func tableThatGivesNoNumbersIsAnError(schema: Schema, column: String) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        try site.sql("ALTER TABLE photos MODIFY IdPhoto int, DROP PRIMARY KEY")
        try site.sql("ALTER TABLE photos MODIFY IdPhoto int \(column)")
        try Data("earlier".utf8).write(to: URL(filePath: site.uploads + "/0.jpg"))
        #expect(try client.upload(Sample.baseline) == #"{"error":"Upload database problem.Database error"}"#)
        #expect(try site.uploadedFiles() == ["0.jpg"])
        #expect(FileManager.default.contents(atPath: site.uploads + "/0.jpg") == Data("earlier".utf8))
        let rows = try site.sql("SELECT COUNT(*) FROM photos WHERE IdUser <> 0 OR IFNULL(IdPhoto, 0) = 0")
        #expect(rows == "0")
    }

    @Test func photoWhoseNumberCameBackIsSetAsideAndLogged() throws {
        let folder = try Sandbox()
        let site = try Site(
            .current,
            on: Servers.utf8mb4(),
            settings: ["IREPORTER_STATUS_LISTEN": "unix:\(folder.path("status"))"]
        )
        var client = try site.client()
        try client.register("bob")
        for _ in 1...3 {
            #expect(try client.upload(Sample.baseline) == #"{"successful":1}"#)
            try site.sql("TRUNCATE photos")
        }
        let log = site.worker.standardError.split(separator: "\n").map { $0.replacing(/\(\d+ ms\)/, with: "(N ms)") }
        #expect(
            log.filter { $0.contains("photo") } == [
                "ireporter: upload 127.0.0.1 user 1: stored photo 1 (N ms)",
                "ireporter: photo 1: its number came back; set aside: lost+found/1-thumb.jpg, lost+found/1.jpg",
                "ireporter: upload 127.0.0.1 user 1: stored photo 1 (N ms)",
                "ireporter: photo 1: its number came back; set aside: lost+found/1-thumb.jpg.2, lost+found/1.jpg.2",
                "ireporter: upload 127.0.0.1 user 1: stored photo 1 (N ms)",
            ]
        )
        #expect(try site.run(["status"]).standardOutput.contains("\nphotos set aside:                  2\n"))
        let metrics = try site.run(["status", "--prometheus"]).standardOutput.split(separator: "\n")
        #expect(metrics.contains("ireporter_photos_set_aside_total 2"))
        #expect(try site.run(["status", "--json"]).standardOutput.contains(#","photos_set_aside":2,"#))
    }
}
