internal import MariaDB

/// The table `login`: who may log in.
struct Accounts {
    let database: Database
    let policy: PasswordPolicy
    let tables: TableTraits

    /// Finds the account of that name with that password.
    ///
    /// The name is compared by the column's collation, as PHP's query did. Nothing prevented several rows of one
    /// name, so the row whose password matches is the one that counts. A password that is stored in an outdated form
    /// is stored anew.
    ///
    /// - Parameter mayTry: whether a password may be tried on the account of this number.
    func authenticate(
        _ credentials: Credentials,
        mayTry: (Int64) -> Bool
    ) throws(DatabaseError) -> Authentication {
        if case .plain = policy.storage, let likely = try likeliestRow(credentials), !likely.isEmpty {
            let found = account(among: likely, openedBy: credentials.password, mayTry: mayTry)
            if case .wrong = found {} else { return found }
        }
        return account(among: try allRows(credentials.username), openedBy: credentials.password, mayTry: mayTry)
    }

    /// The first row that a password seems to open, as PHP's query found it; an empty array if there is certainly none,
    /// and nil if the database cannot compare the password with the column.
    ///
    /// The tutorial's table has no index on names. So a log-in that succeeds need not read it to its end, and one that
    /// fails does, and once more for the accounts that the attempt counts against, whether or not the name exists.
    private func likeliestRow(_ credentials: Credentials) throws(DatabaseError) -> [AccountRow]? {
        do throws(DatabaseError) {
            return try database.rows(
                """
                SELECT IdUser, username, pass, CAST(pass AS BINARY) FROM login \
                WHERE username = ? AND (pass = ? OR CAST(pass AS BINARY) = ? OR pass LIKE '$%') LIMIT 1
                """,
                [.text(credentials.username), .text(credentials.password), .binary(credentials.password)]
            ).compactMap { AccountRow($0) }
        } catch .refused(let diagnostic) where diagnostic.isIncomparable {
            return nil
        }
    }

    /// All rows of a name, in the order of their numbers.
    private func allRows(_ username: [UInt8]) throws(DatabaseError) -> [AccountRow] {
        do throws(DatabaseError) {
            // Sorted here: the server would take longer to set up a sort of one row than to find it.
            return try database.rows(
                "SELECT IdUser, username, pass, CAST(pass AS BINARY) FROM login WHERE username = ?",
                [.text(username)]
            ).compactMap { AccountRow($0) }.sorted { $0.id < $1.id }
        } catch .refused(let diagnostic) where diagnostic.isIncomparable {
            return []
        }
    }

    /// Finds the account of the first row that the password opens.
    func account(
        among rows: [AccountRow],
        openedBy password: [UInt8],
        mayTry: (Int64) -> Bool
    ) -> Authentication {
        let tried = rows.filter { mayTry($0.id) }
        guard !tried.isEmpty || rows.isEmpty else {
            return .throttled
        }
        // A password that the column's character set cannot hold is stored byte by byte (see `insert`).
        let stored = tried.map { constantTimeEqual($0.bytes, password) ? $0.bytes : $0.text }
        guard let (number, verdict) = policy.find(password, among: stored) else {
            return .wrong(tried.map(\.id))
        }
        let row = tried[number]
        if case .matchesButOutdated(let replacement) = verdict {
            upgrade(row.id, from: row.bytes, to: replacement)
        }
        return .account(Account(id: row.id, username: row.username))
    }

    /// Creates an account.
    ///
    /// A unique index on `username` decides between two registrations at once; tables without one are guarded by
    /// a lock of the database server that all workers share.
    ///
    /// - Throws: `RegistrationError`.
    func register(_ credentials: Credentials) throws(RegistrationError) -> Account {
        let outcome: Result<Account, RegistrationError>
        do throws(DatabaseError) {
            // Before the work of hashing, which nobody is to get for names that are taken.
            if policy.hashes, try exists(credentials.username) {
                outcome = .failure(.usernameTaken)
            } else if let encoded = policy.encode(credentials.password) {
                outcome = try register(credentials.username, encoded)
            } else {
                outcome = .failure(.refused)
            }
        } catch {
            if case .duplicateKey = error {
                throw .usernameTaken
            }
            throw .database(error)
        }
        return try outcome.get()
    }

    /// Inserts the account's row, safe from somebody else who does the same.
    private func register(
        _ username: [UInt8],
        _ password: [UInt8]
    ) throws(DatabaseError) -> Result<Account, RegistrationError> {
        if try tables.namesAreUnique(database) {
            return try insert(username, password)
        }
        // One lock for all names: which names the collation takes for equal only the server knows.
        return try database.withLock("ireporter.register", waitingAtMost: 10) { () throws(DatabaseError) in
            try insert(username, password)
        }
    }

    /// Takes an account back that was just created.
    func remove(_ account: Account) throws(DatabaseError) {
        try database.execute("DELETE FROM login WHERE IdUser = ?", [.integer(account.id)])
    }

    private func exists(_ username: [UInt8]) throws(DatabaseError) -> Bool {
        try !database.rows("SELECT 1 FROM login WHERE username = ? LIMIT 1", [.text(username)]).isEmpty
    }

    /// Inserts the account's row, unless there is one of that name already.
    private func insert(
        _ username: [UInt8],
        _ password: [UInt8]
    ) throws(DatabaseError) -> Result<Account, RegistrationError> {
        guard try !exists(username) else {
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
