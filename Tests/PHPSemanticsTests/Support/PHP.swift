import Foundation

/// The command-line `php`, asked for what it makes of many inputs at once.
enum PHP {
    /// How many random inputs each parser gets: `IREPORTER_GOLDEN_COUNT`, or 3000.
    static let goldenCount = ProcessInfo.processInfo.environment["IREPORTER_GOLDEN_COUNT"].flatMap(Int.init) ?? 3000

    /// Which inputs they are: `IREPORTER_GOLDEN_SEED`, or always the same.
    private static let goldenSeed =
        ProcessInfo.processInfo.environment["IREPORTER_GOLDEN_SEED"].flatMap(UInt64.init) ?? 0

    /// A seed of its own for each kind of input.
    static func goldenSeed(_ kind: UInt64) -> UInt64 {
        goldenSeed << 8 | kind
    }

    /// Runs a PHP function over inputs in one process.
    /// - Parameters:
    ///   - inputs: any bytes.
    ///   - body: the body of a function of `$in` that returns a string.
    ///   - prelude: what is to be declared before.
    ///   - options: settings as `name=value`.
    /// - Returns: one output for each input.
    static func map(_ inputs: [[UInt8]], body: String, prelude: String = "", options: [String] = []) throws -> [[UInt8]]
    {
        let folder = try TemporaryFolder()
        let script = """
            <?php
            \(prelude)
            function answer(string $in): string { \(body) }
            foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
                $out = answer(base64_decode($line));
                fwrite(STDOUT, base64_encode($out) . "\\n");
            }
            """
        try Data(script.utf8).write(to: folder.url("script.php"))
        let lines = inputs.map { Data($0).base64EncodedString() + "\n" }.joined()
        try Data(lines.utf8).write(to: folder.url("inputs"))

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["php", "-d", "error_reporting=0", "-d", "memory_limit=-1"] + options.flatMap { ["-d", $0] }
            + [folder.url("script.php").path, folder.url("inputs").path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.currentDirectoryURL = folder.url
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PHPError.failed(status: process.terminationStatus) }
        let answers = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard answers.count == inputs.count + 1 else { throw PHPError.answers(answers.count - 1, for: inputs.count) }
        return try answers.dropLast().map { line in
            guard let bytes = Data(base64Encoded: String(line)) else { throw PHPError.garbled(String(line)) }
            return Array(bytes)
        }
    }
}

enum PHPError: Error {
    case failed(status: Int32)
    case answers(Int, for: Int)
    case garbled(String)
}

/// A folder under the system's temporary one that goes away with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("ireporter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func url(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }
}

func encodeBase64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
}

func decodeBase64(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text) ?? Data())
}
