import Foundation
import TestSupport
import Testing

/// The program as it is called by people and scripts.
@Suite struct CommandLineTests {
    @Test(arguments: ["serve", "check", "status", "contract", "fsck", "thumbs", "migrate"])
    func everyCommandExplainsItself(command: String) throws {
        let process = try WorkerProcess([command, "--help"])
        #expect(process.wait() == 0)
        #expect(process.standardOutput.hasPrefix("Usage: ireporter \(command)"))
        #expect(process.standardOutput.contains(/\n  --help +(print )?this/), "and the option that explains it")
        #expect(process.standardError == "")
        #expect(process.standardOutput.contains("\nExit status: 0 "))
        let asked = try WorkerProcess(["help", command])
        #expect(asked.wait() == 0)
        #expect(asked.standardOutput == process.standardOutput)
        let short = try WorkerProcess([command, "-h"])
        #expect(short.wait() == 0)
        #expect(short.standardOutput == process.standardOutput)
        let whole = try WorkerProcess(["--help"])
        #expect(whole.wait() == 0)
        #expect(whole.standardOutput.contains("  \(command) "))
    }

    @Test func versionIsPrinted() throws {
        let process = try WorkerProcess(["--version"])
        #expect(process.wait() == 0)
        #expect(process.standardOutput.contains(/^ireporter \d+\.\d+\.\d+\n$/))
    }

    @Test(arguments: [
        (["status"], "ireporter: where to ask is not known\n"), (["status", "--lisen"], "ireporter: unknown option"),
        (["status", "--listen", "nowhere"], "ireporter: 'nowhere' is no address\n"),
        (["check", "--ngnix"], "ireporter: unknown option '--ngnix'\n  ireporter check --help\n"),
        (["check", "--nginx"], "ireporter: --nginx needs a file\n"),
        (["fsck", "--repiar"], "ireporter: unknown option '--repiar'\n  ireporter fsck --help\n"),
        (["thumbs"], "ireporter: thumbs needs --rebuild\n"),
        (["migrate", "--only"], "ireporter: --only needs the number of a file\n"),
        (["check"], "ireporter: IREPORTER_UPLOAD_DIR is not set"),
        (
            ["status", "--watch", "0"],
            "ireporter: --watch needs seconds from 1 to 3600, not '0'\n  ireporter status --help\n"
        ),
        (["contract"], "ireporter: no URL was given\n  ireporter contract --help\n"),
        (["contract", "--frob"], "ireporter: unknown option --frob\n  ireporter contract --help\n"),
        (
            ["contract", "http://192.0.2.1/"],
            "488 cases; they create users (ct-…) and photos at http://192.0.2.1/, which stay there.\n"
                + "ireporter: 192.0.2.1 is not this machine\n  say --yes if that is what you want\n"
        ),
        (
            ["migrate", "--directory", "/nonexistent"],
            "ireporter: the folder /nonexistent cannot be read\n  ireporter migrate --help\n"
        ),
        (
            ["migrate"],
            "ireporter: IREPORTER_DB_NAME is not set (the database of the tables login and photos)\n  man ireporter and deploy/README.md list all settings\n"
        ),
        (["thumbs", "--rebuild", "--fit", "x"], "ireporter: --fit needs crop or stretch\n  ireporter thumbs --help\n"),
        (["--frob"], "ireporter: unknown command '--frob'\n  ireporter --help lists the commands\n"),
    ])
    func wrongCallIsExplained(arguments: [String], message: String) throws {
        let process = try WorkerProcess(arguments)
        #expect(process.wait() == 2)
        #expect(process.standardError.hasPrefix(message))
        #expect(process.standardError.contains("\n  "), "with a hint")
        #expect(process.standardOutput == "")
    }

    /// Runs a command on a terminal of its own; what appears there.
    private func onTerminal(_ command: String, _ environment: [String: String]) throws -> String {
        let executable = try WorkerProcess.executable().path
        let folder = try Sandbox()
        let process = try ChildProcess(
            Tool("script", package: "bsdutils").url(),
            ["--quiet", "--return", "--command", "\(executable) \(command)", "/dev/null"],
            environment: environment,
            output: folder.path("out"),
            error: folder.path("err")
        )
        process.wait()
        return process.output
    }

    @Test func coloursAreForTerminalsThatWantThem() throws {
        let folder = try Sandbox()
        let settings = [
            "IREPORTER_DB_NAME": "x", "IREPORTER_DB_SOCKET": "/nonexistent", "IREPORTER_UPLOAD_DIR": folder.path,
            "IREPORTER_SESSION_STORE": "files:\(folder.path)", "NO_COLOR": "",
        ]
        let coloured = try onTerminal("check", settings)
        #expect(coloured.contains("\u{1B}[31mproblem\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[32mok\u{1B}[0m"))
        let plain = try onTerminal("check", settings.merging(["NO_COLOR": "1"]) { $1 })
        #expect(!plain.contains("\u{1B}"))
        #expect(plain.contains("  problem  the database does not answer"))
    }

    @Test func progressIsForTerminals() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        // More than is done in the tenth of a second before it shows.
        let photo = Repository.url("deploy/sample/photo.jpg")
        for number in 1...40 {
            try FileManager.default.copyItem(at: photo, to: URL(filePath: "\(site.uploads)/\(number).jpg"))
        }
        let process = try site.run(["thumbs", "--rebuild"])
        #expect(process.standardError == "")
        #expect(process.standardOutput == "40 photos, 40 thumbnails made, 0 failed\n")
        let shown = try onTerminal("thumbs --rebuild", site.environment)
        #expect(shown.contains("\r\u{1B}[K["))
        #expect(shown.hasSuffix("\r\u{1B}[K40 photos, 40 thumbnails made, 0 failed\r\n"))
    }

    @Test func whoeverCallsItWithoutACommandIsToldOfTheHelp() throws {
        let text = try onTerminal("", [:])
        #expect(text == "ireporter: which command?\r\n  ireporter --help lists the commands\r\n")
    }
}
