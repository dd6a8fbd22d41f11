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
    private var body: [UInt8] = []

    /// An empty list.
    package init() {
        body.reserveCapacity(8192)
        body.append(contentsOf: #"{"result":["#.utf8)
        ids.reserveCapacity(Self.limit)
    }

    /// The newest photos whose users are there.
    static func newest(_ database: Database) throws(DatabaseError) -> PhotoList {
        var list = PhotoList()
        try database.query(newest) { list.append($0) }
        return list
    }

    /// Adds a row.
    mutating func append(_ row: borrowing Row) {
        let id = row.integer(0) ?? 0
        row.withBytes(0) { photo in
            row.withBytes(1) { title in
                row.withBytes(2) { user in
                    row.withBytes(3) { name in append(id, photo: photo, title: title, user: user, name: name) }
                }
            }
        }
    }

    /// Adds a photo whose `IdPhoto` is the number `id`, with its columns as the database spells them; nil is NULL.
    package mutating func append(
        _ id: Int64,
        photo: Span<UInt8>?,
        title: Span<UInt8>?,
        user: Span<UInt8>?,
        name: Span<UInt8>?
    ) {
        let isFirst = ids.isEmpty
        ids.append(id)
        let size = (photo?.count ?? 0) + (title?.count ?? 0) + (user?.count ?? 0) + (name?.count ?? 0)
        // Room is made once for the whole row; its keys, NULLs and quotes are shorter than the constant.
        body.append(addingCapacity: 128 + JSONString.room(for: size)) { output in
            if !isFirst { output.append(",") }
            output.append(#"{"IdPhoto":"#)
            Self.append(photo, to: &output)
            output.append(#","title":"#)
            Self.append(title, to: &output)
            output.append(#","IdUser":"#)
            Self.append(user, to: &output)
            output.append(#","username":"#)
            Self.append(name, to: &output)
            output.append("}")
        }
    }

    private static func append(_ value: Span<UInt8>?, to output: inout OutputSpan<UInt8>) {
        if let value {
            output.appendJSONString(value)
        } else {
            output.append("null")
        }
    }

    /// Ends the list; the whole body.
    package mutating func finish() -> [UInt8] {
        body.append(contentsOf: "]}".utf8)
        return body
    }
}
