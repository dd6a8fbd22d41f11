import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// "Backup and restore" in `deploy/README.md`, followed literally.
@Suite struct BackupTests {
    private static let stored = #"{"successful":1}"#

    @Test(arguments: [Schema.legacy, .current])
    func nothingIsMixedUpByTheRestoreOfAnOlderDump(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        let administrator = try Administrator(site, schema)
        #expect(administrator.blocks.count == 8)
        var bob = try site.client()
        try bob.register("bob")
        for number in 1...3 {
            #expect(try bob.upload(Sample.baseline, title: "before \(number)") == Self.stored)
        }
        try administrator.follow(0)
        var eve = try site.client()
        try eve.register("eve")
        for number in 4...5 {
            #expect(try eve.upload(Sample.noisy, title: "after \(number)") == Self.stored)
        }
        try FileManager.default.removeItem(atPath: site.uploads + "/2.jpg")

        site.worker.terminate()
        let numbers = try administrator.follow(1)
        #expect(numbers.contains("photos\t6\n"))
        #expect(numbers.contains("login\t3\n"))
        #expect(numbers.hasSuffix("\n5.jpg\n"))
        try administrator.follow(2)
        try administrator.follow(3)
        try administrator.follow(4)
        if case .current = schema { try administrator.follow(5) }
        let repair = try administrator.follow(6)
        #expect(
            repair == """
                photo 4: no row belongs to it: moved to lost+found
                photo 5: no row belongs to it: moved to lost+found
                3 rows, 5 photos, 0 other files, 0 uploads under way
                2 findings, 2 repaired, 0 rows deleted, 0 repairs failed, 0 unfinished rows

                """
        )
        try administrator.follow(7)
        try site.restartWorker()

        #expect(try eve.upload(Sample.baseline) == #"{"error":"Authorization required"}"#)
        #expect(try bob.upload(Sample.baseline) == #"{"error":"Authorization required"}"#)
        var mallory = try site.client()
        #expect(try mallory.register("mallory") == "800")
        #expect(try mallory.upload(Sample.baseline, title: "new") == Self.stored)
        let titles = try site.sql("SELECT CONCAT(IdPhoto, ' ', IdUser, ' ', title) FROM photos ORDER BY IdPhoto")
        #expect(titles == "1 1 before 1\n2 1 before 2\n3 1 before 3\n4 1 title\n5000 800 new")
        let files = ["1", "2", "3", "4", "5000"].flatMap { ["\($0)-thumb.jpg", "\($0).jpg"] } + ["lost+found"]
        #expect(try site.uploadedFiles() == files)
        #expect(FileManager.default.contents(atPath: site.uploads + "/4.jpg") == Data(Sample.noisy))
        #expect(!site.worker.standardError.contains("came back"))
    }

    /// Somebody who does what the guide says, on a site whose paths are other ones.
    private struct Administrator {
        /// What stands between each pair of fences.
        let blocks: [String]
        private let home: Sandbox

        init(_ site: Site, _ schema: Schema) throws {
            home = try Sandbox()
            let readme = try String(contentsOf: Repository.url("deploy/README.md"), encoding: .utf8)
            guard let section = readme.split(separator: "\n## ").first(where: { $0.hasPrefix("Backup and restore\n") })
            else {
                throw TestFailure("deploy/README.md has no section called Backup and restore")
            }
            let settings = site.environment.map { "\($0)='\($1)'\n" }.joined()
            try home.write(settings, to: "ireporter.env")
            try home.write("[client]\nuser=root\nsocket=\(site.server.socketPath)\n", to: ".my.cnf")
            // The first photo and the first user after the dump.
            var text = section.replacing("4711", with: "4").replacing("732", with: "1")
                .replacing("iReport ", with: site.database + " ")
                .replacing("/var/backups", with: home.path)
                .replacing("/var/www/html/iReporter/upload", with: site.uploads)
                .replacing("/var/www/html/iReporter/", with: site.sandbox.path + "/")
                .replacing("/var/lib/php/sessions", with: site.sessions)
                .replacing("/etc/ireporter", with: home.path)
                .replacing("runuser -u www-data -- ", with: "")
            if case .legacy = schema { text = text.replacing("--single-transaction ", with: "") }
            let pieces = text.split(separator: "```\n", omittingEmptySubsequences: false)
            blocks = pieces.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }

        /// Runs a block; what it printed.
        @discardableResult
        func follow(_ number: Int) throws -> String {
            let commands = try WorkerProcess.executable().deletingLastPathComponent().path
            return try ChildProcess.run(
                Tool("bash", package: "bash").url(),
                ["-euo", "pipefail", "-c", blocks[number]],
                environment: ["PATH": "\(commands):/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home.path]
            )
        }
    }
}
