internal import MariaDB
internal import Photos

/// The numbers in the table `photos`, in ascending order, fetched some thousands at a time.
///
/// A row of user 0 is no row here: on tables without transactions an upload's row is that until its files are in place.
/// One without any user (NULL) is: no upload leaves that.
struct PhotoTable: PhotoRows {
    private let database: Database
    private var batch: [UInt64] = []
    private var position = 0
    private var last: UInt64 = 0
    private var isAtEnd = false

    init(_ database: Database) {
        self.database = database
    }

    mutating func next() throws -> UInt64? {
        if position == batch.count && !isAtEnd {
            batch = try numbers(
                """
                SELECT IdPhoto FROM photos WHERE IdPhoto > ? AND (IdUser IS NULL OR IdUser <> 0) \
                ORDER BY IdPhoto LIMIT 5000
                """,
                last
            )
            position = 0
            isAtEnd = batch.isEmpty
        }
        guard position < batch.count else {
            return nil
        }
        defer { position += 1 }
        last = batch[position]
        return last
    }

    mutating func contains(_ id: UInt64) throws -> Bool {
        try !numbers("SELECT IdPhoto FROM photos WHERE IdPhoto = ? AND (IdUser IS NULL OR IdUser <> 0)", id)
            .isEmpty
    }

    /// The numbers of the rows of user 0, which no stream shows.
    func hidden() throws(DatabaseError) -> [UInt64] {
        try numbers("SELECT IdPhoto FROM photos WHERE IdPhoto > ? AND IdUser = 0 ORDER BY IdPhoto LIMIT 100000", 0)
    }

    /// Whether a row is user 0's.
    func isHidden(_ id: UInt64) throws(DatabaseError) -> Bool {
        try !numbers("SELECT IdPhoto FROM photos WHERE IdPhoto = ? AND IdUser = 0", id).isEmpty
    }

    /// The name of the database that the table is in.
    func databaseName() throws(DatabaseError) -> String {
        String(decoding: try database.rows("SELECT DATABASE()").first?.first.flatMap { $0 } ?? [], as: UTF8.self)
    }

    /// Deletes a row whose photo is missing.
    func delete(_ id: UInt64) throws(DatabaseError) {
        try database.execute("DELETE FROM photos WHERE IdPhoto = ?", [.integer(Int64(id))])
    }

    /// Deletes a row if it is still user 0's.
    func deleteHidden(_ id: UInt64) throws(DatabaseError) {
        try database.execute("DELETE FROM photos WHERE IdPhoto = ? AND IdUser = 0", [.integer(Int64(id))])
    }

    private func numbers(_ sql: StaticString, _ parameter: UInt64) throws(DatabaseError) -> [UInt64] {
        var numbers: [UInt64] = []
        try database.query(sql, [.integer(Int64(clamping: parameter))]) { row in
            if let number = row.integer(0), number > 0 {
                numbers.append(UInt64(number))
            }
        }
        return numbers
    }
}
