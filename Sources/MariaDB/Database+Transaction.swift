/// How a transaction ends, and what it hands back.
public enum TransactionEnd<Value> {
    /// Everything is made permanent.
    case commit(Value)
    /// Everything is undone, as far as the tables' engine can: MyISAM cannot.
    case rollback(Value)
}

extension Database {
    /// Runs the statements of `body` as one transaction, which an error of `body` rolls back.
    ///
    /// On MyISAM tables the statements take effect at once and stay. An error of a statement should leave `body`:
    /// after a deadlock, for one, the server has already rolled back.
    /// - Throws: what `body` throws; `.lost` if the connection broke, in which case InnoDB has rolled back unless
    ///   it was the commit itself that got no answer.
    public func transaction<Value>(
        _ body: () throws(DatabaseError) -> TransactionEnd<Value>
    ) throws(DatabaseError) -> Value {
        precondition(!isInTransaction, "a transaction inside a transaction")
        _ = try run(repeatable: true) { connection throws(StatementFailure) in
            try connection.execute(text: "START TRANSACTION")
        }
        pins += 1
        isInTransaction = true
        defer {
            pins -= 1
            isInTransaction = false
        }
        let end: TransactionEnd<Value>
        do {
            end = try body()
        } catch {
            abandonTransaction()
            throw error
        }
        switch end {
        case .commit(let value):
            do throws(DatabaseError) {
                try execute(unprepared: "COMMIT")
            } catch {
                // Whatever has become of it, later statements are not to be part of it.
                dropConnection()
                throw error
            }
            return value
        case .rollback(let value):
            abandonTransaction()
            return value
        }
    }

    /// Runs `body` while holding the lock `name` of this database, which every other connection's `withLock` respects.
    ///
    /// The lock ends with the connection, so nothing in `body` is repeated on another one. To the server, whose locks
    /// know no databases, its name is `name`, a dot and the MD5 of the database's name.
    /// - Parameters:
    ///   - name: at most 31 characters.
    ///   - seconds: how long to wait for whoever holds it; less than the read timeout.
    /// - Throws: `.refused(.lockNotGranted)` if it was not granted in time, `.refused(.noDatabase)` if none is chosen;
    ///   what `body` throws.
    public func withLock<Value>(
        _ name: String,
        waitingAtMost seconds: Int64,
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        try requireChoice()
        var isGranted = false
        try query(
            "SELECT GET_LOCK(CONCAT(?, '.', MD5(DATABASE())), ?)",
            [.text(name), .integer(seconds)]
        ) { row in
            isGranted = row.integer(0) == 1
        }
        guard isGranted else { throw .refused(.lockNotGranted) }
        pins += 1
        defer {
            // Released with the connection if this fails.
            _ = try? rows("SELECT RELEASE_LOCK(CONCAT(?, '.', MD5(DATABASE())))", [.text(name)])
            pins -= 1
        }
        return try body()
    }

    /// Makes sure that the connection's statements have a database.
    ///
    /// - Throws: `.refused(.noDatabase)` if neither settings nor option file name one.
    public func requireChoice() throws(DatabaseError) {
        var isChosen = false
        try query("SELECT DATABASE() IS NOT NULL") { isChosen = $0.integer(0) == 1 }
        guard isChosen else { throw .refused(.noDatabase) }
    }

    /// Rolls back; if that fails, the connection goes, and the transaction with it.
    private func abandonTransaction() {
        do {
            try execute(unprepared: "ROLLBACK")
        } catch {
            dropConnection()
        }
    }
}

extension DatabaseError.Diagnostic {
    /// What `Database.withLock` throws when somebody else keeps the lock, in the words of `ER_LOCK_WAIT_TIMEOUT`.
    public static let lockNotGranted = Self(code: 1205, sqlState: "HY000", message: "Lock wait timeout exceeded")

    /// What is thrown where a database is needed and none is chosen, in the words of `ER_NO_DB_ERROR`.
    public static let noDatabase = Self(code: 1046, sqlState: "3D000", message: "No database selected")
}
