import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// `ireporter fsck` and `ireporter thumbs` on a site that has been damaged.
@Suite struct FsckTests {
    private func site(_ schema: Schema = .current) throws -> Site {
        let site = try Site(schema, on: Servers.utf8mb4())
        var client = try site.client()
        try client.register("bob")
        for number in 1...5 {
            #expect(try client.upload(Sample.baseline, title: "t\(number)") == #"{"successful":1}"#)
        }
        return site
    }

    private func run(_ arguments: [String], on site: Site) throws -> (status: Int32, lines: [String]) {
        let process = try WorkerProcess(arguments, environment: site.environment)
        let status = process.wait()
        #expect(process.standardError == "")
        return (status, process.standardOutput.split(separator: "\n").map(String.init))
    }

    private func damage(_ site: Site) throws {
        let files = FileManager.default
        try site.sql("DELETE FROM photos WHERE IdPhoto = 1")
        try files.removeItem(atPath: site.uploads + "/2.jpg")
        try files.removeItem(atPath: site.uploads + "/2-thumb.jpg")
        try files.removeItem(atPath: site.uploads + "/3-thumb.jpg")
        try Data("no picture".utf8).write(to: URL(filePath: site.uploads + "/4-thumb.jpg"))
        try Data(Sample.baseline).write(to: URL(filePath: site.uploads + "/5-thumb.jpg"))
    }

    private static let findings: Set = [
        "photo 1: no row belongs to it", "row 2: its photo is missing", "photo 3: its thumbnail is missing",
        "photo 4: its thumbnail is damaged", "photo 5: its thumbnail is 12 × 8",
    ]

    @Test func reportsAndChangesNothing() throws {
        let site = try site()
        #expect(try run(["fsck", "--grace", "0"], on: site).status == 0)
        try damage(site)
        let before = try site.uploadedFiles()
        let (status, lines) = try run(["fsck", "--grace", "0"], on: site)
        #expect(status == 1)
        #expect(Set(lines.dropLast(2)) == Self.findings)
        #expect(
            lines.suffix(2) == [
                "4 rows, 4 photos, 0 other files, 0 uploads under way",
                "5 findings, 0 repaired, 0 rows deleted, 0 repairs failed, 0 unfinished rows",
            ]
        )
        #expect(try site.uploadedFiles() == before)
    }

    @Test func repairsAllButRowsWithoutFilesUnlessToldTo() throws {
        let site = try site()
        try damage(site)
        let repaired = try run(["fsck", "--repair", "--grace", "0"], on: site)
        #expect(repaired.status == 1)
        #expect(
            Set(repaired.lines.dropLast(2)) == [
                "photo 1: no row belongs to it: moved to lost+found", "row 2: its photo is missing",
                "photo 3: its thumbnail is missing: made anew", "photo 4: its thumbnail is damaged: made anew",
                "photo 5: its thumbnail is 12 × 8: made anew",
            ]
        )
        #expect(
            try site.uploadedFiles() == [
                "3-thumb.jpg", "3.jpg", "4-thumb.jpg", "4.jpg", "5-thumb.jpg", "5.jpg", "lost+found",
            ]
        )
        #expect(FileManager.default.contents(atPath: site.uploads + "/lost+found/1.jpg") == Data(Sample.baseline))
        var client = try site.client()
        #expect(try client.get("upload/lost+found/1.jpg").status == 404)

        let deleted = try run(["fsck", "--repair", "--delete-rows", "--grace", "0"], on: site)
        #expect(deleted.status == 0)
        #expect(deleted.lines.prefix(2) == ["row 2: its photo is missing", "row 2: deleted"])
        #expect(try site.sql("SELECT GROUP_CONCAT(IdPhoto ORDER BY IdPhoto) FROM photos") == "3,4,5")
        #expect(try run(["fsck", "--grace", "0"], on: site).lines.last?.hasPrefix("0 findings") == true)
    }

    @Test func unfinishedRowsOfTablesWithoutTransactionsAreListedAndDeleted() throws {
        let site = try site(.legacy)
        try site.sql("INSERT INTO photos (title, IdUser) VALUES ('unfinished', 0)")
        let (status, lines) = try run(["fsck", "--grace", "0"], on: site)
        #expect(status == 1)
        #expect(lines.first == "row 6: an upload that was not finished, shown to nobody")
        let repaired = try run(["fsck", "--repair", "--delete-rows", "--grace", "0"], on: site)
        #expect(repaired.status == 0)
        #expect(repaired.lines.first == "row 6: an upload that was not finished, shown to nobody: deleted")
        #expect(try site.sql("SELECT COUNT(*) FROM photos") == "5")
    }

    @Test func rowOfAnUploadUnderWayIsWaitedFor() throws {
        let site = try site(.legacy)
        try site.sql("INSERT INTO photos (title, IdUser) VALUES ('under way', 0), ('unfinished', 0)")
        let started = ContinuousClock.now
        let process = try WorkerProcess(
            ["fsck", "--repair", "--delete-rows", "--grace", "15"],
            environment: site.environment
        )
        // Later than the ten seconds that rows without photos have.
        Thread.sleep(forTimeInterval: 12)
        try site.sql("UPDATE photos SET IdUser = 1 WHERE IdPhoto = 6")
        #expect(process.wait() == 0)
        #expect(ContinuousClock.now - started > .seconds(14))
        #expect(
            process.standardOutput == """
                rows of uploads that may be under way: waiting for them as long as --grace says
                row 7: an upload that was not finished, shown to nobody: deleted
                5 rows, 5 photos, 0 other files, 0 uploads under way
                0 findings, 0 repaired, 0 rows deleted, 0 repairs failed, 0 unfinished rows

                """
        )
        #expect(try site.sql("SELECT GROUP_CONCAT(IdPhoto) FROM photos WHERE IdPhoto > 5") == "6")
    }

    @Test func photosWhoseRowHasNoUserStay() throws {
        let site = try site(.legacy)
        try site.sql("UPDATE photos SET IdUser = NULL WHERE IdPhoto = 2")
        let files = try site.uploadedFiles()
        let (status, lines) = try run(["fsck", "--repair", "--delete-rows", "--grace", "0"], on: site)
        #expect(status == 0)
        #expect(
            lines == [
                "5 rows, 5 photos, 0 other files, 0 uploads under way",
                "0 findings, 0 repaired, 0 rows deleted, 0 repairs failed, 0 unfinished rows",
            ]
        )
        #expect(try site.uploadedFiles() == files)
    }

    @Test func wrongDatabaseMovesNothing() throws {
        let site = try site()
        for number in 100...119 {
            for name in ["\(number).jpg", "\(number)-thumb.jpg"] {
                try FileManager.default.copyItem(atPath: site.uploads + "/1.jpg", toPath: site.uploads + "/" + name)
            }
        }
        try Data().write(to: URL(filePath: site.uploads + "/.ireporter-dead"))
        let hourAgo = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes(
            [.modificationDate: hourAgo],
            ofItemAtPath: site.uploads + "/.ireporter-dead"
        )
        let files = try site.uploadedFiles()
        let process = try WorkerProcess(["fsck", "--repair", "--grace", "0"], environment: site.environment)
        #expect(process.wait() == 1)
        #expect(process.standardOutput == "")
        #expect(
            process.standardError == """
                ireporter: 40 of 50 files belong to no row of photos in the database '\(site.database)'; nothing was moved
                  if IREPORTER_DB_NAME is the right database: ireporter fsck --repair --many

                """
        )
        #expect(try site.uploadedFiles() == files)

        let insisted = try run(["fsck", "--repair", "--many", "--grace", "0"], on: site)
        #expect(insisted.status == 0)
        #expect(insisted.lines.first == "temporary file .ireporter-dead: left behind: removed")
        #expect(insisted.lines.contains("photo 119: no row belongs to it: moved to lost+found"))
        #expect(try site.uploadedFiles().count == 11)
    }

    @Test func wrongFolderLosesNoRow() throws {
        let site = try site()
        try site.sql("DELETE FROM photos WHERE IdPhoto > 1")
        try site.sql("INSERT INTO photos (title, IdUser) SELECT 't', 1 FROM seq_1_to_19")
        let rows = try site.sql("SELECT GROUP_CONCAT(IdPhoto) FROM photos")
        let command = ["fsck", "--repair", "--delete-rows", "--grace", "0"]
        let process = try WorkerProcess(command, environment: site.environment)
        #expect(process.wait() == 1)
        #expect(process.standardOutput.hasSuffix("0 rows deleted, 0 repairs failed, 0 unfinished rows\n"))
        #expect(
            process.standardError == """
                ireporter: 19 of 20 rows have no photo in \(site.uploads); none was deleted
                  if IREPORTER_UPLOAD_DIR is the right folder: ireporter fsck --repair --delete-rows --many

                """
        )
        #expect(try site.sql("SELECT GROUP_CONCAT(IdPhoto) FROM photos") == rows)
        let insisted = try run(command + ["--many"], on: site)
        #expect(insisted.status == 0)
        #expect(insisted.lines.filter { $0.hasSuffix(": deleted") }.count == 19)
        #expect(try site.sql("SELECT GROUP_CONCAT(IdPhoto) FROM photos") == "1")
    }

    @Test func filesThatAreNoImagesComeWithAHint() throws {
        let site = try site()
        for (number, text) in [(2, "<?php phpinfo();"), (4, "GIF89a")] {
            try Data(text.utf8).write(to: URL(filePath: site.uploads + "/\(number).jpg"))
            try FileManager.default.removeItem(atPath: site.uploads + "/\(number)-thumb.jpg")
        }
        let (status, lines) = try run(["fsck", "--repair", "--grace", "0"], on: site)
        #expect(status == 1)
        #expect(
            lines == [
                "photo 2: its thumbnail is missing: not repaired. The file is not a JPEG or PNG but PHP.",
                "photo 4: its thumbnail is missing: not repaired. The file is not a JPEG or PNG but GIF.",
                "5 rows, 5 photos, 0 other files, 0 uploads under way",
                "2 findings, 0 repaired, 0 rows deleted, 2 repairs failed, 0 unfinished rows",
                "Of photos that cannot be read no thumbnail can be made. To be rid of those that are no images, delete their",
                "rows, and ireporter fsck --repair moves the files to lost+found:",
                "  DELETE FROM photos WHERE IdPhoto IN (2, 4);",
            ]
        )
        try site.sql(lines.last ?? "")
        let (after, moved) = try run(["fsck", "--repair", "--grace", "0"], on: site)
        #expect(after == 0)
        #expect(
            moved == [
                "photo 2: no row belongs to it: moved to lost+found",
                "photo 4: no row belongs to it: moved to lost+found",
                "3 rows, 5 photos, 0 other files, 0 uploads under way",
                "2 findings, 2 repaired, 0 rows deleted, 0 repairs failed, 0 unfinished rows",
            ]
        )
    }

    @Test func thumbnailsAreMadeAnewInAnotherSize() throws {
        let site = try site()
        let (status, lines) = try run(["thumbs", "--rebuild", "--side", "40", "--fit", "stretch"], on: site)
        #expect(status == 0)
        #expect(lines == ["5 photos, 5 thumbnails made, 0 failed"])
        var client = try site.client()
        let thumbnail = try client.get("upload/1-thumb.jpg").body
        let frame = try #require(JPEGFrame(thumbnail))
        #expect(frame.width == 40)
        #expect(frame.height == 40)
    }

    @Test(arguments: [
        (["fsck", "--delete-rows"], "ireporter: --delete-rows goes with --repair\n  ireporter fsck --help\n"),
        (["fsck", "--many"], "ireporter: --many goes with --repair\n  ireporter fsck --help\n"),
        (["thumbs"], "ireporter: thumbs needs --rebuild\n  ireporter thumbs --help\n"),
        (
            ["thumbs", "--rebuild", "--side", "0"],
            "ireporter: --side needs a number of pixels from 1 to 2048\n  ireporter thumbs --help\n"
        ),
        (
            ["fsck"],
            """
            ireporter: IREPORTER_UPLOAD_DIR is not set (the folder that holds the photos)
              man ireporter and deploy/README.md list all settings

            """
        ),
    ])
    func wrongCallIsExplained(arguments: [String], message: String) throws {
        let process = try WorkerProcess(arguments)
        #expect(process.wait() == 2)
        #expect(process.standardError == message)
    }
}
