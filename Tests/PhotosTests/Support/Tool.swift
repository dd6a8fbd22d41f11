import Foundation
import Testing

/// Programs of other makers, which make the inputs of the tests and judge their results.
enum Tool {
    /// Runs `convert` of ImageMagick; `-` as an output file gives the bytes.
    static func convert(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        try run("convert", arguments, input: input)
    }

    /// Runs ExifTool; `-` as the file takes `input` and gives the bytes.
    static func exiftool(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        try run("exiftool", arguments, input: input)
    }

    /// Runs a program with `input` on its standard input.
    ///
    /// - Returns: What it wrote to its standard output.
    static func run(_ program: String, _ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let inputFile = try TemporaryFolder()
        let inputPath = inputFile.path + "/input"
        try Data(input).write(to: URL(fileURLWithPath: inputPath))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle(forReadingAtPath: inputPath)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(arguments) failed")
        return Array(bytes)
    }
}
