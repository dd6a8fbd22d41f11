import Foundation

/// Tables a test's database can start with.
public enum Schema: Sendable, CaseIterable {
    /// No tables.
    case empty
    /// The tables of the tutorial, as existing installations have them.
    case legacy
    /// The tables of `sql/schema.sql`.
    case current

    /// The statements that create the tables.
    public func sql() throws -> String {
        switch self {
        case .empty: ""
        case .legacy: Self.legacyTables
        case .current: try String(contentsOf: Repository.url("sql/schema.sql"), encoding: .utf8)
        }
    }

    /// MyISAM, latin1, primary keys only, whatever the server's defaults are.
    private static let legacyTables = """
        CREATE TABLE login (
            IdUser int(11) NOT NULL AUTO_INCREMENT,
            username varchar(45) DEFAULT NULL,
            pass varchar(45) DEFAULT NULL,
            PRIMARY KEY (IdUser)
        ) ENGINE=MyISAM DEFAULT CHARSET=latin1;
        CREATE TABLE photos (
            IdPhoto int(11) NOT NULL AUTO_INCREMENT,
            title varchar(100) DEFAULT NULL,
            IdUser int(11) DEFAULT NULL,
            PRIMARY KEY (IdPhoto)
        ) ENGINE=MyISAM DEFAULT CHARSET=latin1;
        """
}
