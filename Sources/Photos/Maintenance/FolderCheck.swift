internal import Glibc

/// Compares the table `photos` with the upload folder, and repairs what can be repaired.
///
/// Workers may go on meanwhile: what looks wrong is looked at again after the time an upload can take. Photos are never
/// deleted; those to which no row belongs are moved to `lost+found`, or `lost-photos` where that is closed to the process.
public struct FolderCheck: Sendable {
    /// What a check counted.
    public struct Summary: Sendable, Equatable {
        /// Rows of the table.
        public var rows = 0
        /// Photos in the folder.
        public var photos = 0
        /// Files that are neither photos nor thumbnails nor temporary; they are left alone.
        public var others = 0
        /// Photos without a row that are too young to be judged.
        public var young = 0
        /// All findings.
        public var findings = 0
        /// Findings that were repaired.
        public var repaired = 0
        /// Findings whose repair failed.
        public var failed = 0
        /// Whether the check was stopped before its end.
        public var isIncomplete = false
    }

    /// The folder.
    public let directory: UploadDirectory
    /// Makes new thumbnails, and says how they should be.
    public let preparer: PhotoPreparer
    /// Whether to repair, or only to report.
    public let repairs: Bool
    /// Whether files without rows are moved even if they are most of the folder.
    public let movesMany: Bool
    /// Seconds that a photo can be there before its row is, or a row before its photo.
    ///
    /// A photo's age is known; for rows without photo, this is how long the check waits before it looks again.
    var patience = Patience()

    /// Seconds after which something unfinished is no longer an upload under way.
    struct Patience {
        var photos = 300
        var rows = 10
    }

    /// Photos in a folder of which any part may be moved: so few are soon moved back.
    public static let few = 19

    /// Describes a check.
    ///
    /// - Parameter uploadSeconds: How long an upload can take: a younger photo without a row is not judged.
    public init(
        directory: UploadDirectory,
        preparer: PhotoPreparer,
        repairs: Bool,
        movesMany: Bool = false,
        uploadSeconds: Int = 300
    ) {
        patience.photos = uploadSeconds
        self.directory = directory
        self.preparer = preparer
        self.repairs = repairs
        self.movesMany = movesMany
    }

    /// Carries out the check.
    ///
    /// - Parameters:
    ///   - rows: The rows, which are read after the folder was listed.
    ///   - observer: Is told of each finding, in no strict order.
    /// - Throws: `PhotoError.storage` if the folder cannot be read, or what `rows` throws; `TooManyStrays` before
    ///   anything is repaired.
    public func run(
        rows: inout some PhotoRows,
        observer: inout some MaintenanceObserver
    ) throws -> Summary {
        var run = try FolderCheckRun(check: self, folder: Folder(path: directory.path), observer: observer)
        defer { observer = run.observer }
        try run.compare(with: &rows)
        return run.summary
    }
}

/// A repair would have moved most of a folder, as it would if it were given the rows of another site.
public struct TooManyStrays: Error, Equatable {
    /// Photos and thumbnails to which no row belongs.
    public let strays: Int
    /// All photos and thumbnails.
    public let files: Int
}
