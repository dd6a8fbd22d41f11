internal import MariaDB

extension Backend {
    /// Logs it if connections are not UTF-8 although the tables have been migrated to it, in which case clients would
    /// get back something else than what was sent before.
    ///
    /// As far as the database answers already.
    public func warnOfCharacterSet() {
        let rows: [[[UInt8]?]]
        do throws(DatabaseError) {
            rows = try makeHousekeeper().rows(
                """
                SELECT @@SESSION.character_set_client FROM ireporter_migrations \
                WHERE number = 1 AND @@SESSION.character_set_client NOT LIKE 'utf8%'
                """
            )
        } catch {
            // Without that table nothing was migrated.
            return
        }
        if let name = rows.first?.first?.flatMap({ $0 }) {
            Log.write(
                "connections are \(String(decoding: name, as: UTF8.self)), but the tables were migrated to utf8mb4: "
                    + "set IREPORTER_DB_CHARSET=utf8mb4"
            )
        }
    }
}
