import Foundation
import TestSupport
import Testing

/// `ireporter check` on a sound set-up and on broken ones.
@Suite(.serialized) struct CheckTests {
    /// One way to break a set-up, what it is called, and what is to be done.
    struct Break: Sendable, CustomTestStringConvertible {
        let name: String
        var schema = Schema.current
        let apply: @Sendable (CheckSetup) throws -> Void
        let problem: String
        let cure: String

        var testDescription: String { name }
    }

    @Test func soundSetUpHasNoProblem() throws {
        let setup = try CheckSetup(.current)
        setup.environment["IREPORTER_DB_PASSWORD"] = ""
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("no problems\n"))
        #expect(output.contains("IREPORTER_DB_PASSWORD=********\n"))
        #expect(output.contains("IREPORTER_THUMB_SIDE=90 (default)\n"))
        #expect(!output.contains("\u{1B}"), "no terminal, no colours")
        let files = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(Set(files) == ["upload", "sessions", "nginx.conf", "out", "err"], "nothing was changed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("upload")).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("sessions")).isEmpty)
    }

    @Test func tutorialsTablesWorkAndGetAdvice() throws {
        let setup = try CheckSetup(.legacy)
        setup.environment["IREPORTER_PASSWORDS"] = "plain"
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("advice   table login: MyISAM, latin1_swedish_ci"))
        #expect(output.contains("advice   login.username has no index"))
    }

    @Test(arguments: breaks)
    func brokenSetUpIsNamedWithItsCure(_ example: Break) throws {
        let setup = try CheckSetup(example.schema)
        try example.apply(setup)
        let (status, output) = try setup.check(["--quiet"])
        #expect(status == 1, "\(output)")
        let lines = output.split(separator: "\n")
        let problem = try #require(
            lines.firstIndex { $0.hasPrefix("  problem  ") && $0.contains(example.problem) },
            "\(output)"
        )
        #expect(lines[problem + 1].hasPrefix("           -> "))
        #expect(lines[problem + 1].contains(example.cure), "\(lines[problem + 1])")
    }

    static let breaks = [
        Break(
            name: "narrow column",
            schema: .legacy,
            apply: { _ in },
            problem: "login.pass is varchar(45), too narrow for 128 characters",
            cure: "IREPORTER_PASSWORDS=plain"
        ),
        Break(
            name: "column narrower than the iPhone's passwords",
            apply: {
                try $0.sql("ALTER TABLE login MODIFY pass VARCHAR(20)")
                $0.environment["IREPORTER_PASSWORDS"] = "plain"
            },
            problem: "login.pass is varchar(20), too narrow for 40 characters",
            cure: "ALTER TABLE login MODIFY pass"
        ),
        Break(
            name: "numbers that do not count",
            apply: { try $0.sql("ALTER TABLE photos MODIFY IdPhoto INT NOT NULL") },
            problem: "photos.IdPhoto does not count by itself",
            cure: "AUTO_INCREMENT"
        ),
    ]
}
