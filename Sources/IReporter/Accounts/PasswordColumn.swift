internal import FastCGI
public import MariaDB

/// The column `login.pass`, as far as it matters whether hashes fit into it.
public struct PasswordColumn {
    private let database: Database

    /// Bytes of the longest hash that is ever stored.
    public static let hashLength = 128

    /// Looks at a database's column.
    public init(_ database: Database) {
        self.database = database
    }

    /// How many bytes or characters fit; nil if there is no such column.
    public var width: Int64? {
        get throws(DatabaseError) {
            try database.rows(
                """
                SELECT CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS \
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND COLUMN_NAME = 'pass'
                """
            ).first?.first?.flatMap { Int64(decimal: $0) }
        }
    }

    /// Whether hashes fit.
    public var holdsHashes: Bool {
        get throws(DatabaseError) { try width.map { $0 >= Self.hashLength } ?? false }
    }
}

/// `login.pass` is too narrow for hashes.
public struct PasswordColumnTooNarrow: Error, CustomStringConvertible {
    let width: Int64

    /// What to do about it.
    public var description: String {
        """
        login.pass holds \(width) characters, a password's hash needs \(PasswordColumn.hashLength): \
        apply sql/upgrade/003-wide-password.sql (or ireporter migrate), \
        or set IREPORTER_PASSWORDS=plain to store passwords as PHP does
        """
    }
}

/// Whether hashes fit into `login.pass`, asked of the database until it is known that they do.
final class PasswordColumnCheck: Sendable {
    private let isKnownToFit = Locked(false)

    /// Looks at the column, unless it is known to be wide enough.
    ///
    /// - Throws: `PasswordColumnTooNarrow`, or `DatabaseError` if the database does not tell.
    func requireRoomForHashes(_ database: Database) throws {
        guard !isKnownToFit.withLock({ $0 }) else {
            return
        }
        let width = try PasswordColumn(database).width ?? 0
        guard width >= PasswordColumn.hashLength else {
            throw PasswordColumnTooNarrow(width: width)
        }
        isKnownToFit.withLock { $0 = true }
    }
}
