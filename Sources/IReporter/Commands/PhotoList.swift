internal import MariaDB
internal import PHPSemantics

/// The body of a reply to `stream` while its rows come in.
///
/// A row is `IdPhoto`, `title`, `IdUser`, `username`.
package struct PhotoList {
    /// How many photos a list has at most.
    static let limit = 50

    // Left to itself the server scans and sorts the whole table while `login` is small. In the order of the
    // primary key, joined in this order, it reads fifty rows whatever the tables' size.
    private static let newest: StaticString = """
        SELECT p.IdPhoto, p.title, l.IdUser, l.username \
        FROM photos p FORCE INDEX (PRIMARY) STRAIGHT_JOIN login l ON l.IdUser = p.IdUser \
        ORDER BY p.IdPhoto DESC LIMIT 50
        """

    /// The ids of the photos, in the order of the list.
    private(set) var ids: [Int64] = []
    private var body: [UInt8]

    private static let keys = [#"{"IdPhoto":"#, #","title":"#, #","IdUser":"#, #","username":"#].map { Array($0.utf8) }

    /// An empty list.
    package init() {
        body = Array(#"{"result":["#.utf8)
        body.reserveCapacity(8192)
    }

    /// The newest photos whose users are there.
    static func newest(_ database: Database) throws(DatabaseError) -> PhotoList {
        var list = PhotoList()
        list.ids.reserveCapacity(limit)
        try database.query(newest) { list.append($0) }
        return list
    }

    /// Adds a row.
    mutating func append(_ row: borrowing Row) {
        begin(row.integer(0) ?? 0)
        for column in 0..<4 {
            row.withBytes(column) { append($0, to: column) }
        }
        end()
    }

    /// Begins a photo, whose four columns follow.
    package mutating func begin(_ id: Int64) {
        if !ids.isEmpty {
            body.append(UInt8(ascii: ","))
        }
        ids.append(id)
    }

    /// Adds the next column of a photo; nil is NULL.
    package mutating func append(_ value: Span<UInt8>?, to column: Int) {
        body.append(contentsOf: Self.keys[column])
        if let value {
            body.appendJSONString(value)
        } else {
            body.append(contentsOf: "null".utf8)
        }
    }

    /// Ends a photo.
    package mutating func end() {
        body.append(UInt8(ascii: "}"))
    }

    /// Ends the list; the whole body.
    package mutating func finish() -> [UInt8] {
        body.append(contentsOf: "]}".utf8)
        return body
    }
}
