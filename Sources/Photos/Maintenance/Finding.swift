/// Something that the check of the upload folder found.
public enum Finding: Sendable, Equatable {
    /// A row of `photos` whose photo is not there.
    case rowWithoutPhoto(id: UInt64)
    /// A photo (perhaps with its thumbnail) to which no row belongs.
    case photoWithoutRow(id: UInt64)
    /// A thumbnail to which neither photo nor row belongs.
    case thumbnailWithoutRow(id: UInt64)
    /// A photo without thumbnail.
    case missingThumbnail(id: UInt64)
    /// A thumbnail of another size than it should have.
    case wrongSizedThumbnail(id: UInt64, width: Int, height: Int)
    /// A thumbnail that cannot be decoded, or only in part.
    case damagedThumbnail(id: UInt64)
    /// A temporary file that a process left behind.
    case staleTemporary(name: String)

    /// The number of the photo in question, if it is about one.
    public var id: UInt64? {
        switch self {
        case .rowWithoutPhoto(let id), .photoWithoutRow(let id), .thumbnailWithoutRow(let id),
            .missingThumbnail(let id),
            .wrongSizedThumbnail(let id, _, _), .damagedThumbnail(let id):
            id
        case .staleTemporary: nil
        }
    }
}

/// What became of a finding.
public enum FindingOutcome: Sendable, Equatable {
    /// It was only reported.
    case reported
    /// It is repaired.
    case repaired
    /// Its files were moved to a folder of this name inside the upload folder.
    case moved(to: String)
    /// The repair failed.
    case failed(PhotoError)
}

/// How far a check or a rebuild has come.
public struct MaintenanceProgress: Sendable, Equatable {
    /// Photos dealt with.
    public var done: Int
    /// Photos in the folder when it was listed.
    public var total: Int
}

/// Whoever wants to know what a check or a rebuild does, and can stop it.
///
/// Its methods are called by one thread at a time.
public protocol MaintenanceObserver {
    /// Called for each finding.
    mutating func found(_ finding: Finding, outcome: FindingOutcome)
    /// Called after each photo.
    mutating func progressed(_ progress: MaintenanceProgress)
    /// Whether to stop at the next photo.
    var isCancelled: Bool { get }
}

/// The rows of the table `photos`, as the check needs them; a copy goes on by itself.
public protocol PhotoRows {
    /// The next greater `IdPhoto`; nil after the last.
    mutating func next() throws -> UInt64?
    /// Whether a row exists at this moment.
    mutating func contains(_ id: UInt64) throws -> Bool
}
