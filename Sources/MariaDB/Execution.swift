/// What the server says of a statement that changed something.
public struct Execution: Sendable, Equatable {
    /// The AUTO_INCREMENT value of the first inserted row; 0 if there is none.
    public let insertID: UInt64
    /// Rows that were inserted, deleted or really changed.
    public let affectedRows: UInt64
    /// How many warnings `SHOW WARNINGS` would list, for example for a value cut to fit.
    public let warningCount: UInt32

    /// Exactly these numbers.
    public init(insertID: UInt64, affectedRows: UInt64, warningCount: UInt32) {
        self.insertID = insertID
        self.affectedRows = affectedRows
        self.warningCount = warningCount
    }
}
