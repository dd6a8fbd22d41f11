public import Foundation

/// A program running beside the tests, its output in a file; killed when released and when the tests end.
///
/// Unchecked because `Process` is not `Sendable`; it is only started in `init`, and its other uses here are
/// documented as thread-safe or guarded by `lock`.
public final class ChildProcess: @unchecked Sendable {
    private let process = Process()
    private let lock = NSLock()
    private let outputPath: String
    private let errorPath: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own, of which variables that begin with `IREPORTER_` are left out.
    ///   - input: a file for its standard input; otherwise that is empty.
    ///   - output, error: files for what it prints, which may be the same one; appended to.
    public init(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: String? = nil,
        input: String? = nil,
        output: String,
        error: String
    ) throws {
        outputPath = output
        errorPath = error
        process.executableURL = executable
        process.arguments = arguments
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("IREPORTER_") }
        process.environment = inherited.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? FileHandle.nullDevice
        let outputHandle = try Self.appendingHandle(output)
        process.standardOutput = outputHandle
        process.standardError = error == output ? outputHandle : try Self.appendingHandle(error)
        do {
            try process.run()
        } catch {
            throw TestFailure("\(executable.path) cannot be started: \(error)")
        }
        Janitor.shared.watch(process: process.processIdentifier)
    }

    deinit {
        kill()
    }

    /// The process's number.
    public var identifier: Int32 { process.processIdentifier }

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// What it has printed on standard output.
    public var output: String { Self.text(of: outputPath) }

    /// What it has printed on standard error.
    public var error: String { Self.text(of: errorPath) }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) {
        lock.withLock {
            if process.isRunning { _ = Foundation.kill(process.processIdentifier, number) }
        }
    }

    /// Ends it and its own children at once and waits until it is gone.
    public func kill() {
        lock.withLock {
            // `Process` makes it the leader of a process group.
            if process.isRunning { _ = Foundation.kill(-process.processIdentifier, SIGKILL) }
        }
        _ = wait()
    }

    /// Asks it to end, waits, and ends it by force if it takes longer than `seconds`.
    ///
    /// - Returns: its exit status, or minus the signal that ended it.
    @discardableResult
    public func terminate(within seconds: Double = 20) -> Int32 {
        signal(SIGTERM)
        if !waitUntil(within: seconds, { !isRunning }) { kill() }
        return wait()
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: its exit status, or minus the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        process.waitUntilExit()
        Janitor.shared.forget(process: process.processIdentifier)
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : -status
    }

    /// Runs a program to its end.
    ///
    /// - Returns: what it printed on standard output.
    /// - Throws: `TestFailure` with its last words if its exit status is not 0.
    @discardableResult
    public static func run(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) throws -> String {
        let sandbox = try Sandbox()
        let inputPath = try input.map { try sandbox.write($0, to: "in") }
        let child = try ChildProcess(
            executable,
            arguments,
            environment: environment,
            input: inputPath,
            output: sandbox.path("out"),
            error: sandbox.path("err")
        )
        let status = child.wait()
        guard status == 0 else {
            throw TestFailure("\(executable.lastPathComponent) ended with \(status): \(child.error)")
        }
        return child.output
    }

    private static func appendingHandle(_ path: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        return handle
    }

    /// The text of a file; empty if there is none.
    static func text(of path: String) -> String {
        // FileManager.contents(atPath:) leaks a page for an empty file, which the address sanitizer reports.
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Looks every few milliseconds whether something has become true.
///
/// - Returns: whether it did within `seconds`.
public func waitUntil(within seconds: Double, _ condition: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !condition() {
        guard Date() < deadline else { return false }
        usleep(5_000)
    }
    return true
}
