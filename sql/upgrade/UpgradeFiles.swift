/// The numbered files of this folder, which SwiftPM has put into the program.
public enum UpgradeFiles {
    /// Each file's name and content, in the order in which they are applied.
    public static let all: [(name: String, content: [UInt8])] = [
        ("001-innodb-utf8mb4.sql", PackageResources._01_innodb_utf8mb4_sql),
        ("002-unique-username.sql", PackageResources._02_unique_username_sql),
        ("003-wide-password.sql", PackageResources._03_wide_password_sql),
        ("004-sessions.sql", PackageResources._04_sessions_sql),
        ("005-import-users.sql", PackageResources._05_import_users_sql),
    ]
}
