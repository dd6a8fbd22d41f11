internal import FastCGI
internal import MariaDB
internal import Photos

/// Uploads that were not acknowledged and of which, since the database was lost in the middle, nobody knows
/// whether their row exists.
///
/// Their files stay until the database answers again: without them a row that was committed after all would be
/// half a photo.
final class UnsettledUploads: Sendable {
    private let photos = Locked<[PublishedPhoto]>([])

    /// Remembers an upload.
    func add(_ photo: PublishedPhoto) {
        photos.withLock { $0.append(photo) }
    }

    /// Asks the database about each of them, and removes what has no row that anyone can see.
    ///
    /// Does nothing while the database does not answer.
    func settle(_ storage: PhotoRow) {
        let waiting = photos.withLock { photos in
            defer { photos = [] }
            return photos
        }
        for photo in waiting {
            do throws(DatabaseError) {
                _ = try storage.settle(photo)
            } catch {
                add(photo)
            }
        }
    }
}
