import Foundation

/// A folder of one test's or server's own, with a path short enough for unix sockets; removed at the end.
public final class Sandbox: Sendable {
    /// The folder, without a slash at the end.
    public let path: String

    /// Creates an empty folder under `/tmp`, accessible to this user alone.
    public init() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        let name = String((0..<8).map { _ in letters.randomElement() ?? "x" })
        path = "/tmp/ir-\(name)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        Janitor.shared.watch(directory: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a folder in the folder.
    ///
    /// - Returns: its path.
    @discardableResult
    public func makeDirectory(_ name: String, permissions: Int = 0o700) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: permissions]
        )
        return path(name)
    }

    /// Writes a file in the folder.
    ///
    /// - Returns: its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// The text of a file in the folder; empty if there is none.
    public func read(_ name: String) -> String {
        ChildProcess.text(of: path(name))
    }
}
