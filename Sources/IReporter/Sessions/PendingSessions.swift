/// What a worker has still to tell the database about sessions, gathered so that requests need not wait for it.
struct PendingSessions: Sendable {
    /// Keys in each of the sets at most.
    let limit: Int

    /// Sessions that were used since the database was last told.
    private(set) var used: Set<SessionKey> = []
    /// Sessions that were to end while the database did not answer; here they have ended already.
    private(set) var ended: Set<SessionKey> = []

    /// Nothing is pending.
    init(limit: Int) {
        self.limit = limit
    }

    /// Notes that a session was used, if there is room.
    mutating func use(_ key: SessionKey) {
        if used.count < limit {
            used.insert(key)
        }
    }

    /// Hands over which sessions were used, and forgets them.
    mutating func takeUsed() -> Set<SessionKey> {
        defer { used = [] }
        return used
    }

    /// Notes that a session has ended; false if there is no room.
    mutating func end(_ key: SessionKey) -> Bool {
        guard ended.count < limit || ended.contains(key) else {
            return false
        }
        ended.insert(key)
        return true
    }

    /// Forgets ended sessions that the database knows of by now.
    mutating func forgetEnded(_ keys: some Sequence<SessionKey>) {
        ended.subtract(keys)
    }
}
