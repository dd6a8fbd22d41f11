internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// `stream`: the newest photos, or one of them.
///
/// Needs no session.
struct StreamCommand {
    let database: Database

    private static let one: StaticString = """
        SELECT p.IdPhoto, p.title, l.IdUser, l.username \
        FROM photos p JOIN login l ON l.IdUser = p.IdUser WHERE p.IdPhoto = ?
        """

    /// The photo that the form asks for by its `IdPhoto`; nil if it asks for the newest ones.
    static func wantedPhoto(_ form: Form) -> Int64? {
        let wanted = IntegerCast.integer(form.string("IdPhoto") ?? [])
        return wanted == 0 ? nil : wanted
    }

    /// One photo, or none.
    func photo(_ wanted: Int64) -> Response {
        Self.reply { () throws(DatabaseError) in
            var list = PhotoList()
            try database.query(Self.one, [.integer(wanted)]) { list.append($0) }
            return Reply.json(list.finish())
        }
    }

    /// The newest photos, read from the database for this request alone.
    func newest() -> Response {
        Self.reply { () throws(DatabaseError) in
            var list = try PhotoList.newest(database)
            return Reply.json(list.finish())
        }
    }

    /// The newest photos as one answer for everyone who asks at this moment.
    func newest(keptIn kept: KeptStream) -> Response {
        Self.reply { () throws(DatabaseError) in try kept.newest(database) }
    }

    /// Turns a failure into the reply that clients know.
    private static func reply(_ body: () throws(DatabaseError) -> Response) -> Response {
        do throws(DatabaseError) {
            return try body()
        } catch {
            Log.write("stream: \(error)")
            return Reply.error("Photo stream is broken")
        }
    }
}
