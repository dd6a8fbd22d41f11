/// Makes thumbnails anew, for photos that have none or after the settings changed.
public struct ThumbnailRebuild: Sendable {
    /// What a rebuild counted.
    public struct Summary: Sendable, Equatable {
        /// Photos in the folder.
        public var photos = 0
        /// Thumbnails made.
        public var rebuilt = 0
        /// Photos of which none could be made.
        public var failed = 0
        /// The greatest number up to which all photos are done, to go on from after an interruption.
        public var last: UInt64 = 0
        /// Whether the rebuild was stopped before its end.
        public var isIncomplete = false
    }

    /// The folder.
    public let directory: UploadDirectory
    /// Makes the thumbnails.
    public let preparer: PhotoPreparer
    /// Threads that work at once.
    public let threads: Int

    /// Describes a rebuild.
    public init(directory: UploadDirectory, preparer: PhotoPreparer, threads: Int) {
        precondition(threads > 0, "somebody has to do it")
        self.directory = directory
        self.preparer = preparer
        self.threads = threads
    }

    /// Makes the thumbnails of all photos with numbers above `id`, in ascending order.
    ///
    /// Each replaces its predecessor at once, so the web server finds the old one or the new one, whole. Photos that
    /// appear or vanish meanwhile do no harm.
    ///
    /// - Parameter observer: Is told of each photo of which no thumbnail could be made, as a failed
    ///   `Finding.missingThumbnail`.
    /// - Throws: `PhotoError.storage` if the folder cannot be read or written.
    public func run(
        after id: UInt64 = 0,
        observer: inout some MaintenanceObserver & Sendable
    ) throws(PhotoError) -> Summary {
        let folder = try Folder(path: directory.path)
        let work = RebuildWork(index: try FolderIndex(of: folder), after: id, observer: observer)
        runThreads(threads) {
            while let photo = work.next() {
                do throws(PhotoError) {
                    try preparer.rebuildThumbnail(of: photo, in: folder, directory: directory)
                    work.finish(photo, failure: nil)
                } catch {
                    work.finish(photo, failure: error)
                }
            }
        }
        let (summary, changedObserver, failure) = work.result
        observer = changedObserver
        if let failure { throw failure }
        return summary
    }
}
