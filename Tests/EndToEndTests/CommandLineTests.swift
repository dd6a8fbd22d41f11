import TestSupport
import Testing

/// The program as it is called by people and scripts.
@Suite struct CommandLineTests {
    @Test(arguments: ["serve", "check", "status", "contract"])
    func everyCommandExplainsItself(command: String) throws {
        let process = try WorkerProcess([command, "--help"])
        #expect(process.wait() == 0)
        #expect(process.standardOutput.hasPrefix("Usage: ireporter \(command)"))
        #expect(process.standardError == "")
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
