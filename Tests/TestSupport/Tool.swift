public import Foundation

/// A program the tests need, and the Debian package it comes with.
public struct Tool: Sendable {
    /// The MariaDB server.
    public static let mariadbd = Tool("mariadbd", package: "mariadb-server-core")
    /// The script that creates a new data directory.
    public static let mariadbInstallDB = Tool("mariadb-install-db", package: "mariadb-server-core")
    /// The command-line client.
    public static let mariadb = Tool("mariadb", package: "mariadb-client-core")
    /// The web server.
    public static let nginx = Tool("nginx", package: "nginx")
    /// PHP as a FastCGI server.
    public static let phpFPM = Tool("php-fpm8.2", package: "php8.2-fpm")
    /// Makes keys and certificates.
    public static let openssl = Tool("openssl", package: "openssl")
    /// The shell.
    public static let sh = Tool("sh", package: "dash")

    private let name: String
    private let package: String

    /// A program by its file name.
    public init(_ name: String, package: String) {
        self.name = name
        self.package = package
    }

    /// Where the program is.
    ///
    /// - Throws: `TestFailure` naming the package if it is not installed; tests are never skipped for that.
    public func url() throws -> URL {
        let search =
            (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
        for directory in search.split(separator: ":") {
            let path = "\(directory)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
        }
        throw TestFailure("\(name) is missing: it comes with the Debian package \(package), which deploy/test installs")
    }
}
