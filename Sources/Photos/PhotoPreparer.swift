/// Turns an uploaded file into a photo fit for publication.
public struct PhotoPreparer: Sendable {
    /// The largest photo that is accepted.
    public let limits: PhotoLimits
    /// How thumbnails are made.
    public let thumbnail: ThumbnailOptions
    /// Whether the position where a photo was taken is removed from it.
    public let stripLocation: Bool
    /// Shared by all copies of this preparer.
    let budget = MemoryBudget(capacity: 96 << 20)

    /// Creates a preparer.
    ///
    /// One is made for the whole process, and any number of threads use it at once: it sees to it that together they
    /// do not take too much memory.
    public init(
        limits: PhotoLimits = PhotoLimits(),
        thumbnail: ThumbnailOptions = ThumbnailOptions(),
        stripLocation: Bool = true
    ) {
        self.limits = limits
        self.thumbnail = thumbnail
        self.stripLocation = stripLocation
    }

    /// Checks a received file, makes its thumbnail and waits until both are on the disk.
    ///
    /// - Parameters:
    ///   - received: The file as the client sent it. It becomes the photo, so nothing may be written to it afterwards.
    ///   - directory: Where `received` was made.
    /// - Returns: What `UploadDirectory.publish` takes.
    /// - Throws: Any `PhotoError`; then nothing is left once `received` is released.
    public func prepare(
        _ received: TemporaryFile,
        in directory: UploadDirectory
    ) throws(PhotoError) -> PreparedPhoto {
        guard received.count <= limits.bytes else {
            throw .tooLarge(.bytes, found: received.count, allowed: limits.bytes)
        }
        let bytes = try received.contents()
        let photoFile: TemporaryFile
        let thumbnailBytes: [UInt8]
        switch PhotoFormat(of: bytes.span) {
        case .other(let kind):
            throw .notAnImage(kind: kind)
        case .jpeg:
            let structure = try JPEGStructure(bytes.span, limits: limits)
            thumbnailBytes = try thumbnail.thumbnail(of: bytes, structure: structure, limits: limits, budget: budget)
            photoFile = received
            if stripLocation {
                for patch in structure.locationPatches(in: bytes.span) {
                    try received.overwrite(patch.bytes, at: patch.offset)
                }
            }
        case .png:
            let file = try directory.makeTemporary(in: received.folder)
            thumbnailBytes = try PNGImport.convert(bytes, limits: limits, budget: budget, thumbnail: thumbnail) {
                part throws(PhotoError) in
                try file.write(part)
            }
            photoFile = file
        }
        let start = ContinuousClock.now
        let thumbnailFile = try directory.makeTemporary(in: received.folder)
        try thumbnailFile.write(thumbnailBytes)
        try photoFile.synchronize()
        try thumbnailFile.synchronize()
        return PreparedPhoto(photo: photoFile, thumbnail: thumbnailFile, flushTime: ContinuousClock.now - start)
    }
}
