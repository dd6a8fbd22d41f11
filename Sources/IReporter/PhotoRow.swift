internal import MariaDB
internal import Photos

/// Why a prepared photo was not stored.
enum StorageFailure: Error, CustomStringConvertible {
    /// The database did not take the row.
    case database(DatabaseError)
    /// The files could not be put in place.
    case files(PhotoError)

    var description: String {
        switch self {
        case .database(let error): "the row was not stored: \(error)"
        case .files(let error): "the files were not stored: \(error)"
        }
    }
}

/// Stores a photo's row and its two files so that nobody ever sees one without the other.
///
/// On a transactional table the row is inserted, the files are put in place, and only then is the row committed.
/// MyISAM shows a row at once; there it first belongs to user 0, whom no stream shows, and is given to its user
/// when the files are in place.
struct PhotoRow {
    let database: Database
    let uploads: UploadDirectory
    let unsettled: UnsettledUploads
    let tables: TableTraits
    /// Where time at the disk is noted; nil for uploads settled later.
    var trace: RequestTrace?

    private static let nobody: Int64 = 0

    /// Stores row and files.
    ///
    /// - Returns: the photo's number.
    /// - Throws: `StorageFailure`; neither the row nor a file is left then, or will be left once the database
    ///   answers again.
    func store(_ photo: consuming PreparedPhoto, title: [UInt8], user: Int64) throws(StorageFailure) -> UInt64 {
        var photo: PreparedPhoto? = consume photo
        var published: PublishedPhoto?
        var failure: PhotoError?
        func publish(as id: UInt64) {
            var setAside: [String] = []
            let start = ContinuousClock.now
            do throws(PhotoError) {
                published = try uploads.publish(photo.take()!, as: id) { setAside.append($0) }
            } catch {
                failure = error
            }
            trace?.add(ContinuousClock.now - start, to: .disk)
            if !setAside.isEmpty {
                trace?.photosSetAside += 1
                Log.write("photo \(id): its number came back; set aside: \(setAside.joined(separator: ", "))")
            }
        }
        do throws(DatabaseError) {
            if try tables.photosAreTransactional(database) {
                try database.transaction { () throws(DatabaseError) in
                    publish(as: try insert(title, user))
                    return failure == nil ? .commit(()) : .rollback(())
                }
            } else {
                let id = try insert(title, Self.nobody)
                publish(as: id)
                try failure == nil ? give(id, to: user) : delete(id)
            }
        } catch {
            if let published, isKept(published) {
                return published.id
            }
            throw .database(error)
        }
        guard let published else { throw .files(failure!) }
        return published.id
    }

    /// Finds out what became of an upload whose last statement got no answer, and removes what is left of it unless
    /// its row is there for everyone to see.
    ///
    /// - Returns: true if the row is there, so that the photo is stored after all.
    /// - Throws: `DatabaseError` if the database does not answer; nothing is removed then.
    func settle(_ photo: PublishedPhoto) throws(DatabaseError) -> Bool {
        // The lock waits for a commit that may still be under way on the connection that was lost.
        let rows = try database.rows(
            "SELECT IdUser <=> ? FROM photos WHERE IdPhoto = ? LOCK IN SHARE MODE",
            [.integer(Self.nobody), .integer(Int64(photo.id))]
        )
        if let row = rows.first {
            if row[0] == Array("0".utf8) {
                return true
            }
            try delete(photo.id)
        }
        do throws(PhotoError) {
            try uploads.withdraw(photo)
        } catch {
            Log.write("photo \(photo.id) could not be taken back: \(error)")
        }
        return false
    }

    /// Settles an upload now, or later if the database does not answer.
    private func isKept(_ photo: PublishedPhoto) -> Bool {
        do throws(DatabaseError) {
            return try settle(photo)
        } catch {
            unsettled.add(photo)
            return false
        }
    }

    /// Inserts a row.
    ///
    /// - Returns: its number, which fits `Int64`.
    private func insert(_ title: [UInt8], _ user: Int64) throws(DatabaseError) -> UInt64 {
        let sql: StaticString = "INSERT INTO photos (IdUser, title) VALUES (?, ?)"
        let id = try database.execute(sql, [.integer(user), .text(title)]).insertID
        // 0 is that of a table which gives no numbers; no file is to get it.
        guard id > 0, id <= UInt64(Int64.max) else {
            try deleteUnusable(id)
            throw .refused(.unusableNumber(id))
        }
        return id
    }

    /// Deletes, on tables without transactions, a row of a number that no photo can have.
    private func deleteUnusable(_ id: UInt64) throws(DatabaseError) {
        try database.execute(
            "DELETE FROM photos WHERE (IdPhoto = CAST(? AS UNSIGNED) OR IdPhoto IS NULL) AND IdUser = ?",
            [.text(String(id)), .integer(Self.nobody)]
        )
    }

    /// Gives a hidden row to its user.
    ///
    /// - Throws: also if there is no such row any more: `fsck` may have taken it for one left behind.
    private func give(_ id: UInt64, to user: Int64) throws(DatabaseError) {
        let sql: StaticString = "UPDATE photos SET IdUser = ? WHERE IdPhoto = ?"
        let changed = try database.execute(sql, [.integer(user), .integer(Int64(id))]).affectedRows
        // Rows that are now different are counted, which user 0's is not.
        guard changed > 0 || user == Self.nobody else { throw .refused(.rowIsGone) }
    }

    private func delete(_ id: UInt64) throws(DatabaseError) {
        try database.execute("DELETE FROM photos WHERE IdPhoto = ?", [.integer(Int64(id))])
    }
}

extension DatabaseError.Diagnostic {
    /// The hidden row was deleted before it was given to its user, or the server did not give it.
    fileprivate static let rowIsGone = Self(
        code: 0,
        sqlState: "02000",
        message: "The row was gone when its photo was in place"
    )

    /// The server gave a row a number that no photo can have.
    fileprivate static func unusableNumber(_ id: UInt64) -> Self {
        Self(
            code: 0,
            sqlState: "22003",
            message: "The new row has the number \(id): IdPhoto must be AUTO_INCREMENT and below 2^63"
        )
    }
}
