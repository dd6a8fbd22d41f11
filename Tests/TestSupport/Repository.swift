public import Foundation

/// The source tree the tests were built from.
public enum Repository {
    /// Where a file of the tree is.
    public static func url(_ path: String) -> URL {
        URL(filePath: #filePath)
            .deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: path)
    }
}
