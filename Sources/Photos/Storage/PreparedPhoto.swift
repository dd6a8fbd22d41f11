/// A photo that was checked, with its thumbnail; both are on the disk and only need their names.
public struct PreparedPhoto: ~Copyable {
    let photo: TemporaryFile
    let thumbnail: TemporaryFile
    /// Time it took to get both onto the disk.
    public internal(set) var flushTime = Duration.zero
}

/// A photo that has its names, in case they have to be taken back.
public struct PublishedPhoto: Sendable {
    /// The photo's number, which is its row's.
    public let id: UInt64
    let folder: Folder
}
