import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of an access log that cannot be written.
@Suite(.serialized) struct AccessLogCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    @Test func fileIsNotMadeByTheCheck() throws {
        let setup = try CheckSetup(.current)
        let log = setup.folder.path("access.log")
        setup.environment["IREPORTER_ACCESS_LOG"] = log
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("access log\n  ok       \(log): it will be made\n"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: log))
        try setup.folder.write("a line\n", to: "access.log")
        let again = try setup.check().output
        #expect(again.contains("access log\n  ok       \(log): lines can be appended\n"), "\(again)")
        #expect(setup.folder.read("access.log") == "a line\n")
    }

    private static let broken = [
        BrokenSetup(
            name: "folder that is not there",
            apply: {
                $0.environment["IREPORTER_ACCESS_LOG"] = "/nonexistent/access.log"
            },
            findings: { _ in
                """
                access log
                  problem  /nonexistent/access.log cannot be opened for appending: there is no folder /nonexistent
                           -> create it: install -d -o \(CheckSetup.user) /nonexistent
                """
            }
        ),
        BrokenSetup(
            name: "folder that may not be written to",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_ACCESS_LOG"] = "/usr/ireporter-access.log"
            },
            findings: { _ in
                """
                access log
                  problem  /usr/ireporter-access.log cannot be opened for appending: Permission denied
                           -> take a folder of its own: install -d -o \(CheckSetup.worker) /var/log/ireporter and \
                IREPORTER_ACCESS_LOG=/var/log/ireporter/access.log
                """
            }
        ),
        BrokenSetup(
            name: "file of others",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_ACCESS_LOG"] = try $0.folder.write("", to: "access.log")
                try $0.folder.allow("access.log", 0o444)
            },
            findings: {
                """
                access log
                  problem  \($0.folder.path)/access.log cannot be opened for appending: Permission denied
                           -> let the worker's user write to it: chown \(CheckSetup.worker) \($0.folder.path)/access.log
                """
            }
        ),
        BrokenSetup(
            name: "folder in its place",
            apply: {
                $0.environment["IREPORTER_ACCESS_LOG"] = $0.folder.path
            },
            findings: {
                """
                access log
                  problem  \($0.folder.path) cannot be opened for appending: Is a directory
                           -> IREPORTER_ACCESS_LOG must name a file
                """
            }
        ),
        BrokenSetup(
            name: "disk that is mounted for reading",
            apply: {
                let folder = try $0.folder.makeDirectory("log")
                $0.mounts = "mount -t tmpfs -o ro none \(folder)"
                $0.environment["IREPORTER_ACCESS_LOG"] = "\(folder)/access.log"
            },
            findings: {
                """
                access log
                  problem  \($0.folder.path)/log/access.log cannot be opened for appending: Read-only file system
                           -> under systemd, add its folder to ReadWritePaths=
                """
            }
        ),
    ]
}
