public import MariaDB

/// Why a migration stopped.
public enum MigrationError: Error, Equatable, CustomStringConvertible {
    /// A file could not be applied; what it did before it stopped is done again when it is applied again.
    case stopped(file: String, DatabaseError)
    /// A file could not be applied as things are.
    case wouldStop(file: String)
    /// The database did not answer, or not as it should, before or after a file.
    case database(DatabaseError)
    /// Another migration of this database is going on.
    case isRunning
    /// The account's settings name no database.
    case noDatabase

    /// What to tell the administrator.
    public var description: String {
        switch self {
        case .stopped(let file, let error):
            "\(file) stopped: \(Self.text(of: error)); it is not recorded as applied, run this again afterwards"
        case .wouldStop(let file):
            "\(file) would stop at the names that are listed above: rename or delete all but one of each"
        case .database(let error): Self.text(of: error)
        case .isRunning: "another migration of this database is going on"
        case .noDatabase: "no database is chosen: set IREPORTER_DB_NAME"
        }
    }

    private static func text(of error: DatabaseError) -> String {
        switch error {
        // The file's own words.
        case .refused(let diagnostic) where diagnostic.sqlState == "45000": printable(diagnostic.message)
        default: printable("\(error)")
        }
    }
}

/// Text from the database without anything that a terminal would obey.
func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
