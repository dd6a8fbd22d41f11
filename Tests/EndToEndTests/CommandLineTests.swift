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

    @Test func personWhoNamesNoCommandIsTold() throws {
        let sandbox = try Sandbox()
        let program = try WorkerProcess.executable().path
        // With a terminal of its own.
        let shell = try ChildProcess(
            Tool("script", package: "bsdutils").url(),
            ["--quiet", "--return", "--command", "'\(program)' 2>'\(sandbox.path("complaint"))'", "/dev/null"],
            output: sandbox.path("out"),
            error: sandbox.path("out")
        )
        #expect(shell.wait() == 2)
        #expect(sandbox.read("complaint") == "ireporter: which command?\n  ireporter --help lists the commands\n")
    }

    @Test(arguments: [
        (["status"], "ireporter: where to ask is not known\n"), (["status", "--lisen"], "ireporter: unknown option"),
        (["status", "--listen", "nowhere"], "ireporter: 'nowhere' is no address\n"),
        (["check", "--ngnix"], "ireporter: unknown option '--ngnix'\n  ireporter check --help\n"),
        (["check", "--nginx"], "ireporter: --nginx needs a file\n"),
        (["fsck", "--repiar"], "ireporter: unknown option '--repiar'\n  ireporter fsck --help\n"),
        (["thumbs"], "ireporter: thumbs needs --rebuild\n"),
        (["migrate", "--only"], "ireporter: --only needs the number of a file\n"),
        (["contract"], "ireporter"),
        (["check"], "ireporter: IREPORTER_UPLOAD_DIR is not set"),
    ])
    func wrongCallIsExplained(arguments: [String], message: String) throws {
        let process = try WorkerProcess(arguments)
        #expect(process.wait() == 2)
        #expect(process.standardError.hasPrefix(message))
        #expect(process.standardError.contains("\n  "), "with a hint")
        #expect(process.standardOutput == "")
    }
}
