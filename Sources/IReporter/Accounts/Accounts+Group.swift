internal import MariaDB

extension Accounts {
    /// How many log-ins are looked up at once, at most.
    static let groupLimit = 16

    /// Who sends a longer name or password is looked up alone, since those who wait take memory.
    private static let longestField = 255

    // The last column tells which of the names a row has, as the column's collation sees it, and is worked out only for
    // the rows that are found. `<=>` is never NULL, which an empty name could be in Oracle's mode.
    private static let rowsOfGroup: StaticString = """
        SELECT IdUser, username, pass, CAST(pass AS BINARY), \
        (username <=> ?) << 0 | (username <=> ?) << 1 | (username <=> ?) << 2 | (username <=> ?) << 3 \
        | (username <=> ?) << 4 | (username <=> ?) << 5 | (username <=> ?) << 6 | (username <=> ?) << 7 \
        | (username <=> ?) << 8 | (username <=> ?) << 9 | (username <=> ?) << 10 | (username <=> ?) << 11 \
        | (username <=> ?) << 12 | (username <=> ?) << 13 | (username <=> ?) << 14 | (username <=> ?) << 15 \
        FROM login WHERE username IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// What looking credentials up gave.
    enum Lookup {
        /// All rows of the name, whose passwords are still to be compared.
        case rows([AccountRow])
        /// What comparing the password gave.
        case compared(Authentication)
        /// Why nothing is known.
        case failed(DatabaseError)
    }

    /// Whether credentials may be looked up together with others: a name that the column's character set lacks would
    /// spoil the statement for all.
    static func areLookedUpTogether(_ credentials: Credentials) -> Bool {
        credentials.username.count <= longestField && credentials.password.count <= longestField
            && credentials.username.allSatisfy { $0 < 0x80 }
    }

    /// Looks up what several credentials, at most `groupLimit`, need; `account` tells of each what comes of it.
    ///
    /// One statement for all of them costs the server little more than one for each does: most of that is spent on
    /// reading and planning it, and a table without an index on names is read once.
    ///
    /// - Parameter mayTry: whether the password at a place in the group may be tried on the account of a number.
    func lookUp(_ group: [Credentials], mayTry: (_ place: Int, Int64) -> Bool) -> [Lookup] {
        do throws(DatabaseError) {
            if group.count > 1, let found = try rows(ofAll: group.map(\.username)) {
                return found.map { .rows($0) }
            }
        } catch {
            return group.map { _ in .failed(error) }
        }
        var outage: DatabaseError?
        return group.indices.map { place in
            if let outage {
                return .failed(outage)
            }
            do throws(DatabaseError) {
                return .compared(try authenticate(group[place]) { mayTry(place, $0) })
            } catch {
                if case .unavailable = error {
                    // Nobody is to wait for it once more.
                    outage = error
                }
                return .failed(error)
            }
        }
    }

    /// What comes of credentials, as `authenticate` finds it.
    ///
    /// - Throws: what the look-up failed for.
    func account(
        _ lookup: Lookup,
        _ credentials: Credentials,
        mayTry: (Int64) -> Bool
    ) throws(DatabaseError) -> Authentication {
        switch lookup {
        case .rows(let rows): account(among: rows, openedBy: credentials.password, mayTry: mayTry)
        case .compared(let outcome): outcome
        case .failed(let error): throw error
        }
    }

    /// All rows of each of several names, in the order in which the server finds them; nil if it cannot say it in one
    /// statement.
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
        return found
    }
}
