internal import MariaDB

extension Accounts {
    /// How many log-ins are looked up at once, at most.
    static let groupLimit = 16

    /// Longer names are looked up by themselves; no column of the tutorial's holds one.
    private static let longestName = 255

    // The last column tells which of the names a row has, as the column's collation sees it. It is worked out for the
    // rows that are found only.
    private static let rowsOfGroup: StaticString = """
        SELECT IdUser, username, pass, CAST(pass AS BINARY), (username = ?) << 0 | (username = ?) << 1 | (username = ?) << 2 | (username = ?) << 3 \
        | (username = ?) << 4 | (username = ?) << 5 | (username = ?) << 6 | (username = ?) << 7 \
        | (username = ?) << 8 | (username = ?) << 9 | (username = ?) << 10 | (username = ?) << 11 \
        | (username = ?) << 12 | (username = ?) << 13 | (username = ?) << 14 | (username = ?) << 15 \
        FROM login WHERE username IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// What is known of an account before its password is compared.
    enum Lookup {
        /// All rows of its name.
        case rows([AccountRow])
        /// All.
        case account(Account?)
    }

    /// Looks up what several credentials need; `account` tells of each what comes of it.
    ///
    /// One statement for all of them costs the server little more than one for each does: most of that is spent on
    /// reading and planning it, and a table without an index on names is read once.
    ///
    /// - Throws: what the database throws.
    func lookUp(_ group: [Credentials]) throws(DatabaseError) -> [Lookup] {
        // One name that the column's character set lacks would spoil the statement for all.
        let together = group.indices.filter { Self.isPlain(group[$0].username) }
        var lookups = [Lookup?](repeating: nil, count: group.count)
        if together.count > 1, let found = try rows(ofAll: together.map { group[$0].username }) {
            for (place, rows) in zip(together, found) {
                lookups[place] = .rows(rows)
            }
        }
        for place in group.indices where lookups[place] == nil {
            lookups[place] = .account(try authenticate(group[place]))
        }
        return lookups.compactMap { $0 }
    }

    /// The account that credentials open, as `authenticate` finds it.
    func account(_ lookup: Lookup, _ credentials: Credentials) -> Account? {
        switch lookup {
        case .rows(let rows): account(among: rows, openedBy: credentials.password)
        case .account(let account): account
        }
    }

    /// All rows of each of at most `groupLimit` names, in the order of their numbers; nil if the server cannot say it
    /// in one statement.
    private func rows(ofAll usernames: [[UInt8]]) throws(DatabaseError) -> [[AccountRow]]? {
        // The last name stands in all places that are left.
        let names = (0..<Self.groupLimit).map { SQLValue.text(usernames[min($0, usernames.count - 1)]) }
        var found = [[AccountRow]](repeating: [], count: usernames.count)
        do throws(DatabaseError) {
            for columns in try database.rows(Self.rowsOfGroup, names + names) {
                guard let row = AccountRow(columns), let places = columns[4].flatMap({ Int64(decimal: $0) }) else {
                    continue
                }
                for place in found.indices where places >> place & 1 == 1 {
                    found[place].append(row)
                }
            }
        } catch {
            switch error {
            case .refused, .duplicateKey, .resultTooLarge: return nil
            case .unavailable, .lost: throw error
            }
        }
        return found.map { rows in rows.sorted { $0.id < $1.id } }
    }

    private static func isPlain(_ username: [UInt8]) -> Bool {
        username.count <= longestName && username.allSatisfy { $0 < 0x80 }
    }
}
