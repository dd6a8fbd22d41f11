public import Foundation

/// The `ireporter` executable, running as a worker or a subcommand.
public final class WorkerProcess: Sendable {
    /// The folder that holds its output.
    public let sandbox: Sandbox
    private let process: ChildProcess

    /// Starts the executable.
    ///
    /// - Parameters:
    ///   - environment: its settings.
    ///   - socketPath: a unix socket that shows by accepting connections that the worker is ready; `nil` does not wait.
    /// - Throws: `TestFailure` with the worker's last words if it did not get ready.
    public init(_ arguments: [String], environment: [String: String] = [:], socketPath: String? = nil) throws {
        sandbox = try Sandbox()
        process = try ChildProcess(
            Self.executable(),
            arguments,
            environment: environment,
            output: sandbox.path("out"),
            error: sandbox.path("err")
        )
        guard let socketPath else { return }
        let process = process
        let isUp = waitUntil(within: 30) { !process.isRunning || LocalSocket.accepts(path: socketPath) }
        guard isUp, process.isRunning else { throw TestFailure("the worker did not start: \(process.error)") }
    }

    /// The process's number.
    public var identifier: Int32 { process.identifier }

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// What it has printed on standard output.
    public var standardOutput: String { process.output }

    /// What it has printed on standard error.
    public var standardError: String { process.error }

    /// Sends a signal.
    public func signal(_ number: Int32) { process.signal(number) }

    /// Asks it to end with SIGTERM and waits.
    ///
    /// - Returns: its exit status, or minus the signal that ended it.
    @discardableResult
    public func terminate(within seconds: Double = 30) -> Int32 { process.terminate(within: seconds) }

    /// Ends it with SIGKILL.
    public func kill() { process.kill() }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: its exit status, or minus the signal that ended it.
    @discardableResult
    public func wait() -> Int32 { process.wait() }

    /// The executable that belongs to these tests: `IREPORTER_EXECUTABLE`, or the one built beside them.
    ///
    /// - Throws: `TestFailure` if it has not been built.
    public static func executable() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["IREPORTER_EXECUTABLE"] { return URL(filePath: path) }
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for candidate in [folder, folder.deletingLastPathComponent(), Repository.url(".build/debug")] {
            let url = candidate.appending(path: "ireporter")
            if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        }
        throw TestFailure("the executable ireporter is missing beside the tests: run swift build, or deploy/test")
    }
}
