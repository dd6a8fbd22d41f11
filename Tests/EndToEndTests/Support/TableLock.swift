import Foundation
import TestSupport

/// Holds both tables of a site, so that every statement on them waits.
final class TableLock {
    private let site: Site
    private let holder: Crowd<Void>
    private let mark = "\(UInt32.random(in: 1_000_000...UInt32.max))"

    /// Takes the lock and waits until it is held.
    init(_ site: Site) throws {
        self.site = site
        let (server, database, mark) = (site.server, site.database, mark)
        holder = Crowd(1) { _ in
            // Ends with its connection, which the client calls an error.
            _ = try? server.run(
                "LOCK TABLES photos WRITE, login WRITE; SELECT SLEEP(600) /* \(mark) */",
                database: database
            )
        }
        guard waitUntil(within: 30, { (try? identifier()) != nil }) else {
            throw TestFailure("the tables are not locked")
        }
    }

    /// Lets the statements go on.
    func release() throws {
        if let identifier = try identifier() {
            try site.server.run("KILL \(identifier)")
        }
        _ = try holder.wait()
    }

    /// How many statements wait for the lock.
    var waiting: Int {
        let count = try? site.server.run(
            """
            SELECT COUNT(*) FROM information_schema.PROCESSLIST
            WHERE DB = '\(site.database)' AND COMMAND <> 'Sleep' AND INFO NOT LIKE '%\(mark)%'
            """
        )
        return count.flatMap { Int($0.trimmingCharacters(in: .newlines)) } ?? 0
    }

    private func identifier() throws -> String? {
        let list = try site.server.run(
            "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%SLEEP%\(mark)%' AND ID <> CONNECTION_ID()"
        )
        let identifier = list.trimmingCharacters(in: .newlines)
        return identifier.isEmpty ? nil : identifier
    }
}
