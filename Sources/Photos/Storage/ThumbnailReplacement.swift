extension PhotoPreparer {
    /// Makes the thumbnail of a stored photo anew and puts it in the place of the one it has, if any.
    ///
    /// - Throws: `PhotoError.storage` with `ENOENT` if the photo is not there, or any other `PhotoError`.
    func rebuildThumbnail(
        of id: UInt64,
        in folder: Folder,
        directory: UploadDirectory
    ) throws(PhotoError) {
        let photo = try folder.open(PhotoName.photo(id))
        let status = try photo.status()
        guard status.isRegular else { throw .notAnImage(kind: "no ordinary file") }
        guard status.size <= limits.bytes else {
            throw .tooLarge(.bytes, found: status.size, allowed: limits.bytes)
        }
        let bytes = try thumbnail(of: photo.read(status.size))
        let file = try TemporaryFile(in: folder, mode: directory.mode, group: directory.group, named: true)
        try file.write(bytes)
        try file.synchronize()
        try file.replace(PhotoName.thumbnail(id))
        // Had the photo been withdrawn meanwhile, its thumbnail would come back.
        if try folder.status(of: PhotoName.photo(id)) == nil { try folder.remove(PhotoName.thumbnail(id)) }
    }

    /// Makes the thumbnail of a photo, whatever it is stored as.
    ///
    /// Photos from the time before this program can be PNG files under a JPEG's name.
    private func thumbnail(of bytes: [UInt8]) throws(PhotoError) -> [UInt8] {
        switch PhotoFormat(of: bytes.span) {
        case .other(let kind):
            throw .notAnImage(kind: kind)
        case .jpeg:
            let structure = try JPEGStructure(bytes.span, limits: limits)
            return try thumbnail.thumbnail(of: bytes, structure: structure, limits: limits, budget: budget)
        case .png:
            return try PNGImport.convert(bytes, limits: limits, budget: budget, thumbnail: thumbnail) {
                _ throws(PhotoError) in
            }
        }
    }
}
