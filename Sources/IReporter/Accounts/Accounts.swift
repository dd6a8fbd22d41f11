internal import MariaDB

/// The table `login`: who may log in.
struct Accounts {
    let database: Database
    let policy: PasswordPolicy

    /// The account of that name with that password.
    ///
    /// The name is compared by the column's collation, as PHP's query did. Nothing prevented several rows of one
    /// name, so the row whose password matches is the one that counts. A password that is stored in an outdated form
    /// is stored anew.
    func authenticate(_ credentials: Credentials) throws(DatabaseError) -> Account? {
        // A password that the column's character set cannot hold is stored byte by byte (see `insert`).
        let rows: [[[UInt8]?]]
        do throws(DatabaseError) {
            rows = try database.rows(
                "SELECT IdUser, username, pass, CAST(pass AS BINARY) FROM login WHERE username = ? ORDER BY IdUser",
                [.text(credentials.username)]
            )
        } catch .refused(let diagnostic) where diagnostic.isIncomparable {
            rows = []
        }
        // NULL is nobody's password.
        let candidates = rows.compactMap { row -> Candidate? in
            guard let id = row[0].flatMap({ Int64(decimal: $0) }), let username = row[1], let text = row[2],
                let raw = row[3]
            else {
                return nil
            }
            let account = Account(id: id, username: username)
            return Candidate(
                account: account,
                raw: raw,
                stored: constantTimeEqual(raw, credentials.password) ? raw : text
            )
        }
        guard let (number, verdict) = policy.find(credentials.password, among: candidates.map(\.stored)) else {
            return nil
        }
        let found = candidates[number]
        if case .matchesButOutdated(let replacement) = verdict {
            upgrade(found.account.id, from: found.raw, to: replacement)
        }
        return found.account
    }

    /// A row of the name that somebody wants to log in with.
    private struct Candidate {
        let account: Account
        /// The password's bytes in the column, whatever its character set.
        let raw: [UInt8]
        /// The password as it was meant.
        let stored: [UInt8]
    }

    /// Creates an account.
    ///
    /// A unique index on `username` decides between two registrations at once; tables without one are guarded by
    /// a lock of the database server that all workers share.
    ///
    /// - Throws: `RegistrationError`.
    func register(_ credentials: Credentials) throws(RegistrationError) -> Account {
        guard let encoded = policy.encode(credentials.password) else {
            throw .refused
        }
        let outcome: Result<Account, RegistrationError>
        do throws(DatabaseError) {
            if try namesAreUnique() {
                outcome = try insert(credentials.username, encoded)
            } else {
                // One lock for all names: which names the collation takes for equal only the server knows.
                outcome = try database.withLock(try lockName(), waitingAtMost: 10) { () throws(DatabaseError) in
                    try insert(credentials.username, encoded)
                }
            }
        } catch {
            if case .duplicateKey = error {
                throw .usernameTaken
            }
            throw .database(error)
        }
        return try outcome.get()
    }

    /// Inserts the account's row, unless there is one of that name already.
    private func insert(
        _ username: [UInt8],
        _ password: [UInt8]
    ) throws(DatabaseError) -> Result<Account, RegistrationError> {
        guard try database.rows("SELECT 1 FROM login WHERE username = ? LIMIT 1", [.text(username)]).isEmpty else {
            return .failure(.usernameTaken)
        }
        // The iPhone client's passwords are no text. Where the column's character set lacks one of their characters,
        // the bytes are stored as they are; PHP could not have stored that password at all.
        for value in [SQLValue.text(password), .binary(password)] {
            do throws(DatabaseError) {
                if let account = try insert(username, value, comparing: password) {
                    return .success(account)
                }
            } catch .refused(let diagnostic) where value == .text(password) && diagnostic.isIncorrectString {
                continue
            }
        }
        return .failure(.refused)
    }

    /// Inserts a row and looks at what has become of it.
    ///
    /// A server that is not strict shortens or replaces what does not fit. Nobody could log in to such an account,
    /// so it does not stay.
    private func insert(
        _ username: [UInt8],
        _ value: SQLValue,
        comparing password: [UInt8]
    ) throws(DatabaseError) -> Account? {
        let id = Int64(
            bitPattern: try database.execute(
                "INSERT INTO login (username, pass) VALUES (?, ?)",
                [.text(username), value]
            ).insertID
        )
        let stored = try database.rows(
            "SELECT username, pass, CAST(pass AS BINARY) FROM login WHERE IdUser = ? AND username = ?",
            [.integer(id), .text(username)]
        )
        if let row = stored.first, let storedName = row[0], row[1] == password || row[2] == password {
            return Account(id: id, username: storedName)
        }
        try database.execute("DELETE FROM login WHERE IdUser = ?", [.integer(id)])
        return nil
    }

    /// Stores a password in its present form, if nothing has changed it meanwhile.
    private func upgrade(_ id: Int64, from old: [UInt8], to new: [UInt8]) {
        do throws(DatabaseError) {
            // Cut off, the hash would lock its owner out.
            guard try PasswordColumn(database).holdsHashes else {
                return
            }
            try database.execute(
                "UPDATE login SET pass = ? WHERE IdUser = ? AND CAST(pass AS BINARY) = ?",
                [.text(new), .integer(id), .binary(old)]
            )
        } catch {
            Log.write("the password of user \(id) keeps its old form: \(error)")
        }
    }

    /// Whether an index keeps the table from having two rows of one name.
    ///
    /// Then registrations need no lock, under which each would wait until the one before is on the disk.
    private func namesAreUnique() throws(DatabaseError) -> Bool {
        try !database.rows(
            """
            SELECT 1 FROM information_schema.STATISTICS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND NON_UNIQUE = 0 GROUP BY INDEX_NAME \
            HAVING COUNT(*) = 1 AND MAX(COLUMN_NAME = 'username' AND SUB_PART IS NULL) = 1 LIMIT 1
            """
        ).isEmpty
    }

    /// The name of the lock that registrations in this database take turns with.
    private func lockName() throws(DatabaseError) -> String {
        let name = try database.rows("SELECT MD5(DATABASE())").first?.first?.flatMap { $0 } ?? []
        return "ireporter.register." + String(decoding: name, as: UTF8.self)
    }
}

/// Why an account was not created.
enum RegistrationError: Error, Equatable {
    /// An account of that name exists.
    case usernameTaken
    /// The name or password is empty or does not fit.
    case refused
    /// The database did not take it.
    case database(DatabaseError)
}

extension DatabaseError.Diagnostic {
    /// Whether the server refused a string that the column's character set does not have.
    fileprivate var isIncorrectString: Bool { code == 1366 }

    /// Whether the server refused to compare a name with the column because the column's character set lacks one of
    /// its characters, so that no row can have it.
    fileprivate var isIncomparable: Bool { code == 1267 }
}

extension Int64 {
    /// The number that some decimal digits show; nil if they are none.
    init?(decimal digits: [UInt8]) {
        self.init(String(decoding: digits, as: UTF8.self))
    }
}
