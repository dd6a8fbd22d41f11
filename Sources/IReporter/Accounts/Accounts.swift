internal import MariaDB

/// The table `login`: who may log in.
struct Accounts {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The account of that name whose password is exactly `password`.
    ///
    /// The name is compared by the column's collation, as PHP's query did. Nothing prevented several rows of one
    /// name, so the row whose password matches is the one that counts.
    func authenticate(username: [UInt8], password: [UInt8]) throws(DatabaseError) -> Account? {
        var match: Account?
        try database.query(
            "SELECT IdUser, username, pass FROM login WHERE username = ? ORDER BY IdUser",
            [.text(username)]
        ) { row in
            if match == nil, let stored = row.bytes(2), constantTimeEqual(stored, password), let id = row.integer(0) {
                match = Account(id: id, username: row.bytes(1) ?? [])
            }
        }
        return match
    }

    /// Creates an account.
    ///
    /// A unique index on `username` decides between two registrations at once; tables without one are guarded by
    /// a lock of the database server that all workers share.
    ///
    /// - Throws: `RegistrationError`.
    func register(username: [UInt8], password: [UInt8]) throws(RegistrationError) -> Account {
        if username.isEmpty || password.isEmpty {
            throw .refused
        }
        let outcome: Result<Account, RegistrationError>
        do throws(DatabaseError) {
            // One lock for all names: which names the collation takes for equal only the server knows.
            outcome = try database.withLock(try lockName(), waitingAtMost: 10) { () throws(DatabaseError) in
                try insert(username: username, password: password)
            }
        } catch {
            if case .duplicateKey = error {
                throw .usernameTaken
            }
            Log.write("register: \(error)")
            throw .refused
        }
        return try outcome.get()
    }

    /// Inserts the account's row, unless there is one of that name already.
    private func insert(
        username: [UInt8],
        password: [UInt8]
    ) throws(DatabaseError) -> Result<Account, RegistrationError> {
        guard try database.rows("SELECT 1 FROM login WHERE username = ? LIMIT 1", [.text(username)]).isEmpty else {
            return .failure(.usernameTaken)
        }
        let insertion = try database.execute(
            "INSERT INTO login (username, pass) VALUES (?, ?)",
            [.text(username), .text(password)]
        )
        let id = Int64(bitPattern: insertion.insertID)
        // A server that is not strict shortens or replaces what does not fit. Nobody could log in to such an
        // account, so it must not stay.
        let stored = try database.rows(
            "SELECT username, pass FROM login WHERE IdUser = ? AND username = ?",
            [.integer(id), .text(username)]
        )
        guard let row = stored.first, let storedName = row[0], row[1] == password else {
            try database.execute("DELETE FROM login WHERE IdUser = ?", [.integer(id)])
            return .failure(.refused)
        }
        return .success(Account(id: id, username: storedName))
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
    /// The name or password is empty or does not fit, or the database did not take it.
    case refused
}
