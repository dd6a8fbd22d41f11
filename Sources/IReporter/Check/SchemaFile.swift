internal import Glibc

/// The tables of a new installation, for cures.
enum SchemaFile {
    /// Where the Debian package puts the file, or else its path in the repository.
    static var path: String {
        unsafe access(packaged, R_OK) == 0 ? packaged : "sql/schema.sql"
    }

    private static let packaged = "/usr/share/ireporter/sql/schema.sql"
}
