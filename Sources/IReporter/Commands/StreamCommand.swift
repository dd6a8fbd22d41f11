internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// `stream`: the newest photos, or one of them.
///
/// Needs no session.
struct StreamCommand {
    let database: Database

    // Left to itself the server scans and sorts the whole table while `login` is small. In the order of the
    // primary key, joined in this order, it reads fifty rows whatever the tables' size.
    private static let newest: StaticString = """
        SELECT p.IdPhoto, p.title, l.IdUser, l.username \
        FROM photos p FORCE INDEX (PRIMARY) STRAIGHT_JOIN login l ON l.IdUser = p.IdUser \
        ORDER BY p.IdPhoto DESC LIMIT 50
        """
    private static let one: StaticString = """
        SELECT p.IdPhoto, p.title, l.IdUser, l.username \
        FROM photos p JOIN login l ON l.IdUser = p.IdUser WHERE p.IdPhoto = ?
        """
    private static let keys = ["IdPhoto", "title", "IdUser", "username"].map { Array("\"\($0)\":".utf8) }

    func run(_ form: Form) -> Response {
        let wanted = IntegerCast.integer(form.string("IdPhoto") ?? [])
        do throws(DatabaseError) {
            return Reply.json(try body(wanted))
        } catch {
            Log.write("stream: \(error)")
            return Reply.error("Photo stream is broken")
        }
    }

    private func body(_ wanted: Int64) throws(DatabaseError) -> [UInt8] {
        var body = Array(#"{"result":["#.utf8)
        body.reserveCapacity(8192)
        var isFirst = true
        try database.query(wanted == 0 ? Self.newest : Self.one, wanted == 0 ? [] : [.integer(wanted)]) { row in
            if !isFirst {
                body.append(UInt8(ascii: ","))
            }
            isFirst = false
            body.append(UInt8(ascii: "{"))
            for (column, key) in Self.keys.enumerated() {
                if column > 0 {
                    body.append(UInt8(ascii: ","))
                }
                body.append(contentsOf: key)
                row.withBytes(column) { value in
                    if let value {
                        body.appendJSONString(value)
                    } else {
                        body.append(contentsOf: "null".utf8)
                    }
                }
            }
            body.append(UInt8(ascii: "}"))
        }
        body.append(contentsOf: "]}".utf8)
        return body
    }
}
