internal import FastCGI
internal import MariaDB

/// What the server says of the tables beside their rows, asked anew once a second while it matters.
///
/// Such questions read dictionary tables and cost more than the statement they are for. An administrator's `ALTER
/// TABLE` shows within that second, as changes by others do in the list of photos.
final class TableTraits: Sendable {
    private struct Answer {
        let isTrue: Bool
        let time: ContinuousClock.Instant
    }

    private let photosAnswer = Locked<Answer?>(nil)
    private let namesAnswer = Locked<Answer?>(nil)

    /// Whether `photos` takes part in transactions (InnoDB), so that an insertion can be taken back.
    func photosAreTransactional(_ database: Database) throws(DatabaseError) -> Bool {
        try recent(photosAnswer) { () throws(DatabaseError) in
            try database.rows(
                """
                SELECT e.TRANSACTIONS FROM information_schema.TABLES t JOIN information_schema.ENGINES e USING (ENGINE) \
                WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = 'photos'
                """
            ).first?.first == Array("YES".utf8)
        }
    }

    /// Whether an index keeps `login` from having two rows of one name.
    ///
    /// Then registrations need no lock, under which each would wait until the one before is on the disk.
    func namesAreUnique(_ database: Database) throws(DatabaseError) -> Bool {
        try recent(namesAnswer) { () throws(DatabaseError) in
            try !database.rows(
                """
                SELECT 1 FROM information_schema.STATISTICS \
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND NON_UNIQUE = 0 GROUP BY INDEX_NAME \
                HAVING COUNT(*) = 1 AND MAX(COLUMN_NAME = 'username' AND SUB_PART IS NULL) = 1 LIMIT 1
                """
            ).isEmpty
        }
    }

    private func recent(
        _ answer: Locked<Answer?>,
        _ ask: () throws(DatabaseError) -> Bool
    ) throws(DatabaseError) -> Bool {
        if let known = answer.withLock({ $0 }), known.time.duration(to: .now) < .seconds(1) {
            return known.isTrue
        }
        // The time before the question: the answer may be older than its arrival.
        let time = ContinuousClock.now
        let isTrue = try ask()
        answer.withLock { $0 = Answer(isTrue: isTrue, time: time) }
        return isTrue
    }
}
