internal import FastCGI
internal import MariaDB
internal import PHPSemantics

/// Sessions in the table `sessions`, for workers on several hosts: a row each, under the SHA-256 of the id, in PHP's
/// format.
///
/// A request takes one statement at most (but see `begin`), and each statement is a whole: what another worker does at
/// the same moment comes before or after it. The time is the database's alone, so that hosts whose clocks differ agree
/// about which sessions have ended.
struct DatabaseSessionStore: Sendable {
    /// Bytes of the longest session that is read, 1 MiB as with files.
    static let sizeLimit: Int64 = 1 << 20
    /// Rows that one statement changes at most beside the requests.
    private static let batch = 1000
    /// Statements that remove ended sessions in one turn at most.
    private static let removals = 20

    /// Seconds between two times that the database is told which sessions were used.
    private let interval: Int
    /// A use is told only of a session whose last one is this many seconds ago.
    private let refreshAfter: Int
    /// Seconds after which a session has ended: the lifetime, and the time that a use may take to be told.
    private let limit: Int
    private let pending: Locked<PendingSessions>

    /// Keeps sessions for `lifetime` seconds after their last use.
    ///
    /// - Parameter pendingLimit: how many sessions may wait for the database to be told of them: more than a second of
    ///   the heaviest traffic brings, and a few megabytes.
    init(lifetime: Int, pendingLimit: Int = 1 << 16) {
        let delay = min(30, lifetime / 8)
        interval = max(1, delay)
        refreshAfter = min(60, lifetime / 8)
        limit = lifetime + delay
        pending = Locked(PendingSessions(limit: pendingLimit))
    }

    // MARK: Requests

    /// A session's data; nil if there is no such session, or no longer.
    ///
    /// - Throws: `SessionError.database` if the database does not tell.
    func read(_ id: SessionID, _ database: Database) throws(SessionError) -> SessionData? {
        let key = SessionKey(id)
        guard !hasEnded(key) else {
            return nil
        }
        do throws(DatabaseError) {
            return try database.rows(
                """
                SELECT data FROM sessions WHERE id = ? AND LENGTH(data) <= ? \
                AND used BETWEEN UNIX_TIMESTAMP() - ? AND UNIX_TIMESTAMP() + ?
                """,
                [.binary(key.bytes), .integer(Self.sizeLimit), .integer(Int64(limit)), .integer(Int64(limit))]
            ).first?.first?.flatMap { $0 }.map { SessionData(decoding: $0) }
        } catch {
            throw .database(error)
        }
    }

    /// Keeps a session from ending, without a statement: the database is told later.
    func touch(_ id: SessionID) {
        let key = SessionKey(id)
        pending.withLock { $0.use(key) }
    }

    /// Begins a session in which `user` is logged in, in place of the client's previous one.
    ///
    /// One statement inserts the new session and ends the previous one, and hands back what that held. Only if it held
    /// more than a user, which no worker puts there, a second statement brings that along, before anybody knows
    /// the new id.
    ///
    /// - Returns: the new session's id.
    /// - Throws: `SessionError.database`; then no new session is known to anyone.
    func begin(user: Int64, replacing previous: SessionID?, _ database: Database) throws(SessionError) -> SessionID {
        let id = SessionID.random()
        let key = SessionKey(id)
        var data = SessionData()
        data.set("IdUser", to: user.decimal)
        do throws(DatabaseError) {
            guard let previous = previous.map({ SessionKey($0) }), !hasEnded(previous) else {
                try retrying { () throws(DatabaseError) in
                    _ = try database.execute(
                        "INSERT INTO sessions (id, data, used) VALUES (?, ?, UNIX_TIMESTAMP())",
                        [.binary(key.bytes), .binary(data.encoded())]
                    )
                }
                return id
            }
            var replaced = SessionData(decoding: try insert(key, data, ending: previous, database))
            replaced.set("IdUser", to: user.decimal)
            let bytes = replaced.encoded()
            if bytes != data.encoded(), bytes.count <= Self.sizeLimit {
                try database.execute(
                    "UPDATE sessions SET data = ? WHERE id = ?",
                    [.binary(bytes), .binary(key.bytes)]
                )
            }
            return id
        } catch {
            throw .database(error)
        }
    }

    /// Ends a session.
    ///
    /// If the database does not answer, this worker counts it as ended from now on and tells the database later.
    ///
    /// - Throws: `SessionError.database` if too many wait for that already.
    func destroy(_ id: SessionID, _ database: Database) throws(SessionError) {
        let key = SessionKey(id)
        do throws(DatabaseError) {
            try retrying { () throws(DatabaseError) in
                _ = try database.execute("DELETE FROM sessions WHERE id = ?", [.binary(key.bytes)])
            }
        } catch {
            guard pending.withLock({ $0.end(key) }) else {
                throw .database(error)
            }
            Log.write("a session that was logged out of is removed later: \(error)")
        }
    }

    private func hasEnded(_ key: SessionKey) -> Bool {
        pending.withLock { $0.ended.contains(key) }
    }

    /// Inserts a session and ends another; what that held, or nothing if there was none.
    ///
    /// An ended session is a row that was last used in 1970. A row that the client's id did not have yet is inserted
    /// as an ended one, so that the id is not adopted.
    private func insert(
        _ key: SessionKey,
        _ data: SessionData,
        ending previous: SessionKey,
        _ database: Database
    ) throws(DatabaseError) -> [UInt8] {
        var replaced: [UInt8] = []
        try retrying { () throws(DatabaseError) in
            _ = try database.execute(
                """
                INSERT INTO sessions (id, data, used) VALUES (?, ?, UNIX_TIMESTAMP()), (?, '', 0) \
                ON DUPLICATE KEY UPDATE used = IF(used BETWEEN UNIX_TIMESTAMP() - ? AND UNIX_TIMESTAMP() + ?, 1, 0) \
                RETURNING used, IF(LENGTH(data) <= ?, data, '')
                """,
                [
                    .binary(key.bytes), .binary(data.encoded()), .binary(previous.bytes), .integer(Int64(limit)),
                    .integer(Int64(limit)), .integer(Self.sizeLimit),
                ]
            ) { row in
                // 1: it was alive until now.
                if row.integer(0) == 1 {
                    replaced = row.bytes(1) ?? []
                }
            }
        }
        return replaced
    }

    /// Does something again if it was not done because another statement was in its way.
    private func retrying(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        for _ in 1...3 {
            do throws(DatabaseError) {
                return try body()
            } catch .refused(let diagnostic) where Self.isConflict(diagnostic) {
                continue
            }
        }
        try body()
    }

    /// Whether the server gave up a statement for another's sake: a deadlock, or a row that changed under it.
    private static func isConflict(_ diagnostic: DatabaseError.Diagnostic) -> Bool {
        [1213, 1020].contains(diagnostic.code)
    }
}

// MARK: - Beside the requests

extension DatabaseSessionStore {
    /// Tells the database what is pending, and removes the rows of sessions that have ended.
    ///
    /// Any worker removes any session's row. What fails is done in one of the next turns.
    ///
    /// - Parameter second: counts the calls, of which there is one a second.
    func keepHouse(_ database: Database, second: Int) {
        do throws(DatabaseError) {
            try removePending(database)
            if second % interval == 0 || pending.withLock({ $0.used.count >= Self.batch }) {
                try savePendingUse(database)
            }
            if second % 30 == 0 {
                try removeEnded(database)
            }
        } catch {
            // Once for each turn of the slower kind, however often it fails.
            if second % 30 == 0 {
                Log.write("sessions are not kept up: \(error)")
            }
        }
    }

    /// Whether there is something that the database does not know yet.
    var hasPending: Bool {
        pending.withLock { !$0.used.isEmpty || !$0.ended.isEmpty }
    }

    /// Tells the database what is pending, before the worker ends.
    func saveAll(_ database: Database) {
        do throws(DatabaseError) {
            try removePending(database)
            try savePendingUse(database)
        } catch {
            Log.write("the last use of sessions is not noted: \(error)")
        }
    }

    private func savePendingUse(_ database: Database) throws(DatabaseError) {
        var rest = Array(pending.withLock { $0.takeUsed() })
        while !rest.isEmpty {
            let keys = rest.suffix(Self.batch)
            do throws(DatabaseError) {
                // A session that has ended meanwhile stays ended.
                try database.execute(
                    unprepared: """
                        UPDATE sessions SET used = UNIX_TIMESTAMP() WHERE id IN (\(list(keys))) \
                        AND used BETWEEN UNIX_TIMESTAMP() - \(limit) AND UNIX_TIMESTAMP() - \(refreshAfter)
                        """
                )
            } catch {
                let unsaved = rest
                pending.withLock { pending in
                    for key in unsaved {
                        pending.use(key)
                    }
                }
                throw error
            }
            rest.removeLast(keys.count)
        }
    }

    private func removePending(_ database: Database) throws(DatabaseError) {
        var rest = Array(pending.withLock { $0.ended })
        while !rest.isEmpty {
            let keys = Array(rest.suffix(Self.batch))
            try database.execute(unprepared: "DELETE FROM sessions WHERE id IN (\(list(keys)))")
            pending.withLock { $0.forgetEnded(keys) }
            rest.removeLast(keys.count)
        }
    }

    /// Removes the rows of ended sessions, a bounded number of them.
    ///
    /// They are found without locks and removed by their keys, so that nobody waits for rows that stay.
    private func removeEnded(_ database: Database) throws(DatabaseError) {
        for _ in 1...Self.removals {
            let found = try database.rows(
                """
                SELECT id FROM sessions \
                WHERE used NOT BETWEEN UNIX_TIMESTAMP() - ? AND UNIX_TIMESTAMP() + ? LIMIT 1000
                """,
                [.integer(Int64(limit)), .integer(Int64(limit))]
            )
            let keys = found.compactMap { $0.first?.flatMap { SessionKey($0) } }
            guard !keys.isEmpty else {
                return
            }
            try database.execute(
                unprepared: """
                    DELETE FROM sessions WHERE id IN (\(list(keys))) \
                    AND used NOT BETWEEN UNIX_TIMESTAMP() - \(limit) AND UNIX_TIMESTAMP() + \(limit)
                    """
            )
            guard found.count == Self.batch else {
                return
            }
        }
    }

    private func list(_ keys: some Sequence<SessionKey>) -> String {
        keys.map(\.literal).joined(separator: ",")
    }
}
