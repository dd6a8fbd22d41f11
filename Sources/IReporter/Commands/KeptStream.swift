internal import FastCGI
internal import MariaDB

/// The reply to `stream` that lists the newest photos, kept and proved anew for each time it is given.
///
/// The list costs the database fifty rows of one table and fifty look-ups in another; the proof costs it fifty
/// entries of one index, or one on the tutorial's MyISAM tables. What is promised:
///
/// - *A request that arrives after an upload was acknowledged, by whomever, shows that photo.* The proof begins after
///   the requests it is for have arrived, and sees everything committed by then. Ids do not come back: neither a rolled
///   back insertion nor a deleted row gives its number to another. (A row that is replaced by hand under the same
///   id, or put below others, counts as edited.)
///   - In general it compares the ids that `photos` has now, from the list's lowest id upward, with those it had when
///     the list was read. A photo that the list lacks and should have is a row that was not visible then: it has an id
///     of its own, above the list's lowest one (or the list is not full and every id is compared), so it makes a
///     difference, whether its id is the greatest or, committed late, lies below others. The greatest id, the number or
///     the sum of ids would not do: a late row and a deletion can cancel each other out.
///   - MyISAM has no late rows. An insertion holds the table while it draws its id and until its row is visible, so rows
///     appear in the order of their ids, and the greatest id proves that none was added.
/// - *A photo of a MyISAM table that is on its way*, with a row which belongs to user 0 until its files are in place,
///   changes from hidden to shown without a new id. So a list is not kept while there is such a row among the ids that
///   it spans. The ids and their users are read *before* the list: a row that belonged to somebody by then and
///   is not in the list has lost its user for good.
/// - *Titles, names and deletions show within a second.* A list that was read more than half a second ago is read
///   again.
///
/// If the database does not answer there is no proof, and so no reply but the error.
final class KeptStream: Sendable {
    /// A reply, and what it is proved by.
    private struct Kept: Sendable {
        let response: Response
        let readAt: ContinuousClock.Instant
        let proof: Proof
    }

    /// What `photos` must still have for a list to be the present one.
    private enum Proof: Sendable {
        /// These ids from the lowest one upward, newest first.
        case window(lowest: Int64, ids: [Int64])
        /// This greatest id; nil is an empty table.
        case newest(Int64?)
    }

    /// Others' changes show after this time; a second is promised.
    private static let longestUse = Duration.milliseconds(500)

    // Both look at no more than a hundred rows, however many photos without a user lie between those of a list.
    private static let window: StaticString = """
        SELECT IdPhoto FROM photos FORCE INDEX (PRIMARY) WHERE IdPhoto >= ? ORDER BY IdPhoto DESC LIMIT 100
        """
    private static let owners: StaticString = """
        SELECT IdPhoto, IdUser FROM photos FORCE INDEX (PRIMARY) ORDER BY IdPhoto DESC LIMIT 100
        """
    private static let windowLimit = 100
    private static let newestID: StaticString = "SELECT MAX(IdPhoto) FROM photos"
    // Each partition has a lock of its own.
    private static let engine: StaticString = """
        SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'photos' \
        AND ENGINE = 'MyISAM' AND CREATE_OPTIONS NOT LIKE '%partitioned%'
        """

    private let kept = Locked<Kept?>(nil)

    /// The reply for requests that have arrived by now.
    ///
    /// Several threads may ask at once, and a list may then take the place of one that was read after it: it has to be
    /// proved all the same, and its age counts from before it was read.
    ///
    /// - Throws: what the database throws.
    func newest(_ database: Database) throws(DatabaseError) -> Response {
        let start = ContinuousClock.now
        if let kept = kept.withLock({ $0 }), start - kept.readAt < Self.longestUse, try holds(kept.proof, database) {
            return kept.response
        }
        let owners = try owners(database)
        // Between the two: were it asked before, the owners could be those of a table that has become another since;
        // were it asked after, the list could.
        let showsRowsInOrder = try !database.rows(Self.engine).isEmpty
        var list = try PhotoList.newest(database)
        let response = Reply.json(list.finish())
        let found = Self.window(of: list.ids, among: owners).map { lowest, ids in
            let proof = showsRowsInOrder ? Proof.newest(owners.first?.photo) : .window(lowest: lowest, ids: ids)
            return Kept(response: response, readAt: start, proof: proof)
        }
        kept.withLock { $0 = found }
        return response
    }

    /// Whether the table has what proves the list.
    private func holds(_ proof: Proof, _ database: Database) throws(DatabaseError) -> Bool {
        var isSame = true
        switch proof {
        case .newest(let newest):
            try database.query(Self.newestID) { row in
                isSame = row.integer(0) == newest
            }
            return isSame
        case .window(let lowest, let ids):
            var position = 0
            try database.query(Self.window, [.integer(lowest)]) { row in
                isSame = isSame && position < ids.count && row.integer(0) == ids[position]
                position += 1
            }
            return isSame && position == ids.count
        }
    }

    /// A photo's row as far as it matters here.
    struct Owner {
        let photo: Int64
        /// Nil and 0 are nobody.
        let user: Int64?
    }

    private func owners(_ database: Database) throws(DatabaseError) -> [Owner] {
        var owners: [Owner] = []
        owners.reserveCapacity(Self.windowLimit)
        try database.query(Self.owners) { row in
            owners.append(Owner(photo: row.integer(0) ?? 0, user: row.integer(1)))
        }
        return owners
    }

    /// What a list can be proved by: the ids of its photos, and of those between them that have lost their user.
    ///
    /// - Parameters:
    ///   - list: the ids of the list, newest first.
    ///   - owners: the newest rows of `photos`, newest first, read before the list.
    /// - Returns: the lowest id to compare and all ids from there upward; nil if the list cannot be proved, because a
    ///   photo is on its way or too many without a user lie between the others.
    static func window(of list: [Int64], among owners: [Owner]) -> (lowest: Int64, ids: [Int64])? {
        let lowest = list.count < PhotoList.limit ? Int64.min : list[list.count - 1]
        let shown = Set(list)
        let left = owners.filter { $0.photo >= lowest && !shown.contains($0.photo) }
        // All rows from the lowest one upward have to be known.
        let isWhole = owners.count < windowLimit || owners[owners.count - 1].photo <= lowest
        guard isWhole, left.allSatisfy({ $0.user ?? 0 != 0 }), list.count + left.count < windowLimit else {
            return nil
        }
        return (lowest, left.isEmpty ? list : (list + left.map(\.photo)).sorted(by: >))
    }
}
