import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// "The switch" in `deploy/README.md`, followed literally on a PHP site in use.
@Suite(.serialized) struct SwitchTests {
    @Test func nobodyNoticesTheSwitchThereAndBackAndThere() throws {
        let guide = try Guide()
        #expect(guide.steps.dropLast().map { $0.title.prefix(2) } == (1...8).map { "\($0)." })
        let line = "    include snippets/ireporter-switch*.conf;\n"
        #expect(guide.text.contains("\n\(line)"))
        let site = try AdministeredSite(include: line)
        var follower = Follower(guide, site)

        // Somebody who was there before, does nothing meanwhile, and wants to be known afterwards.
        var veteran = try SiteClient(site.url)
        veteran.keepsConnections = false
        let veteransNumber = try veteran.register("Jürgen")
        #expect(try veteran.upload(Sample.baseline, title: "früher") == #"{"successful":1}"#)
        let veteransPhoto = #"{"IdPhoto":"1","title":"fr\u00fcher","IdUser":"1","username":"J\u00fcrgen"}"#
        #expect(veteransNumber == "1")

        let traffic = Traffic(6, at: site.url)
        // Two rounds of six people, of five requests or more each, of which those under way do not count.
        func expectPHPAlone() throws {
            let (php, worker) = try traffic.progress()
            #expect(php > 30 && worker == 0, "PHP \(php), worker \(worker)")
        }
        func expectWorkerAlone() throws {
            let (php, worker) = try traffic.progress()
            #expect(php == 0 && worker > 30, "PHP \(php), worker \(worker)")
        }
        func expectBoth() throws {
            let (php, worker) = try traffic.progress()
            #expect(php > 0 && worker > 0, "PHP \(php), worker \(worker)")
        }

        try expectPHPAlone()
        try follower.follow(1)
        let verdict = AdministeredSite.isRoot ? "\nno problems\n" : "\n1 problem\n"
        #expect(try follower.follow(2).last?.hasSuffix(verdict) == true)
        let beside = try follower.follow(3)
        #expect(beside.last?.contains(verdict) == true)
        try expectPHPAlone()
        // Others upload while one side is compared with the other.
        try traffic.pause {
            let verdicts = try follower.follow(4)
            #expect(
                verdicts[0].contains(
                    /\A\d{3} held, 0 differ, 32 skipped\n\d{3} the same, \d+ different on purpose, 0 differ, 32 skipped\n\z/
                )
            )
        }
        #expect(try site.sql("SELECT COUNT(*) FROM login WHERE username LIKE '%ct-%' OR username = ''") == "0")
        try expectPHPAlone()
        for block in try guide.step(5).blocks {
            try follower.follow(block)
            try expectBoth()
        }
        try follower.follow(6)
        try expectWorkerAlone()
        try upgradeWorker(of: site)
        try expectWorkerAlone()
        try follower.follow(7)
        try expectPHPAlone()
        try follower.repeat(6)
        try expectWorkerAlone()

        let stored = try traffic.end()
        #expect(stored.count > 100)
        try expectNothingLost(stored, on: site, names: "latin1")
        let passwords = "SELECT COUNT(*) FROM login WHERE pass <> 'secret'"
        #expect(try site.sql(passwords) == "0")
        let leaving = try guide.step(8).blocks
        for block in leaving.dropLast() { try follower.follow(block) }
        try expectNothingLost(stored, on: site, names: "utf8mb4")
        #expect(try site.sql(passwords) == "0", "hashed at the next log-in, not before")
        // Still logged in, and later by the old password.
        #expect(try veteran.upload(Sample.baseline, title: "später") == #"{"successful":1}"#)
        #expect(try veteran.post(["command": "stream", "IdPhoto": "1"]) == #"{"result":[\#(veteransPhoto)]}"#)
        #expect(try veteran.post(["command": "logout"]) == "")
        let login: KeyValuePairs = ["command": "login", "username": "Jürgen", "password": "secret"]
        let account = #"{"result":[{"IdUser":"1","username":"J\u00fcrgen"}]}"#
        #expect(try veteran.post(login) == account)
        #expect(try site.sql("SELECT LEFT(pass, 8) FROM login WHERE IdUser = 1") == "$scrypt$")
        #expect(try veteran.post(login) == account)
        for number in 0..<6 {
            var person = try SiteClient(site.url)
            let reply = try person.post(["command": "login", "username": "person \(number)", "password": "secret"])
            #expect(reply.hasSuffix(#"","username":"person \#(number)"}]}"#), "\(reply)")
        }
        #expect(try site.sql(passwords) == "7")

        // The last line that is changed by hand.
        let configuration = site.nginx.sandbox.read("nginx.conf")
        try site.nginx.sandbox.write(
            configuration.replacing(line, with: "include snippets/ireporter.conf;\n"),
            to: "nginx.conf"
        )
        #expect(guide.text.contains("`include snippets/ireporter.conf;`"))
        try follower.follow(leaving[leaving.count - 1])
        try site.run("nginx -t && nginx -s reload")
        #expect(try veteran.post(login) == account)
        #expect(follower.isComplete, "every command of the guide was followed")
    }

    /// Replaces the program while it is in use, as a new version of the package does.
    private func upgradeWorker(of site: AdministeredSite) throws {
        let log = { site.root.read("var/log/ireporter.log").ranges(of: "ireporter: ready").count }
        let before = log()
        try site.run(
            """
            install .build/release/ireporter /usr/local/bin/ireporter.new
            mv /usr/local/bin/ireporter.new /usr/local/bin/ireporter
            """
        )
        kill(try site.worker, SIGHUP)
        #expect(waitUntil(within: 30) { log() == before + 1 })
    }

    /// Each photo that was acknowledged has one row and its file, byte for byte, and nothing else is there.
    ///
    /// - Parameter names: the character set in which the titles come as clients see them.
    private func expectNothingLost(
        _ stored: [String: [UInt8]],
        on site: AdministeredSite,
        names: String
    ) throws {
        let rows = try site.sql("SET NAMES \(names); SELECT IdPhoto, title FROM photos WHERE IdPhoto > 1")
        var found: [String: [UInt8]] = [:]
        for row in rows.split(separator: "\n") {
            let columns = row.split(separator: "\t")
            let path = site.root.path("var/www/html/iReporter/upload/\(columns[0]).jpg")
            let photo = try [UInt8](Data(contentsOf: URL(filePath: path)))
            #expect(found.updateValue(photo, forKey: String(columns[1])) == nil, "two rows of one photo")
        }
        #expect(found.count == stored.count)
        #expect(stored.filter { found[$0.key] != $0.value }.keys.sorted() == [])
    }

    /// Somebody who does what the guide says.
    private struct Follower {
        let guide: Guide
        let site: AdministeredSite
        private var done: Set<String> = []

        init(_ guide: Guide, _ site: AdministeredSite) {
            self.guide = guide
            self.site = site
        }

        /// Whether every command of the guide has been run.
        var isComplete: Bool { done == Set(guide.steps.flatMap(\.blocks)) }

        /// Runs a step's blocks; what each printed.
        @discardableResult
        mutating func follow(_ number: Int) throws -> [String] {
            try guide.step(number).blocks.map { try follow($0) }
        }

        @discardableResult
        mutating func follow(_ block: String) throws -> String {
            done.insert(block)
            return try site.run(block)
        }

        /// Runs a step's blocks once more.
        mutating func `repeat`(_ number: Int) throws {
            try follow(number)
        }
    }
}
