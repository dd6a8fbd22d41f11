public import MariaDB
internal import Photos

/// What is to be done beside the requests.
extension Backend {
    /// Removes temporary files that workers which are gone have left in the upload folder.
    ///
    /// Once, after the start: it lists the whole folder.
    public func removeStaleTemporaries() {
        do throws(PhotoError) {
            let count = try uploads.removeStaleTemporaries()
            if count > 0 {
                Log.write("removed \(count) temporary files that were left behind")
            }
        } catch {
            Log.write("temporary files that were left behind were not removed: \(error)")
        }
    }

    /// A connection for what is done beside the requests, which waits for nobody: what fails is done later.
    public func makeHousekeeper() -> Database {
        var configuration = settings.database
        configuration.outagePatience = .zero
        return Database(configuration)
    }

    /// Keeps up the sessions, and settles uploads in doubt.
    ///
    /// - Parameters:
    ///   - database: a connection of the calling thread.
    ///   - second: counts the calls, of which there is one a second, from 1 on.
    public func keepHouse(_ database: Database, second: Int) {
        sessions.keepHouse(database, second: second)
        if second % 30 == 0 {
            unsettled.settle(photoRow(database))
        }
    }

    /// Tells the database what it does not know yet of the sessions, after the last request.
    public func saveSessions() {
        guard case .database(let store) = sessions, store.hasPending else {
            return
        }
        var configuration = settings.database
        configuration.outagePatience = .zero
        // The worker is about to end: better to lose a note than to be late.
        configuration.connectTimeout = 1
        configuration.readTimeout = 2
        store.saveAll(Database(configuration))
    }
}
