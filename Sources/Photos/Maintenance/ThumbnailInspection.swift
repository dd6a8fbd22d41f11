/// What is wrong with a thumbnail on the disk.
enum ThumbnailInspection: Equatable {
    case sound
    case missing
    case wrongSize(width: Int, height: Int)
    case damaged

    /// A greater file is no thumbnail, whatever it says: one of the largest side with a profile has less.
    private static let greatestSize = 16 << 20

    /// Reads and decodes the thumbnail `name`, which should have `side` pixels each way.
    ///
    /// - Throws: `PhotoError.storage` if it is there but cannot be read.
    init(of name: String, side: Int, in folder: Folder) throws(PhotoError) {
        let file: FileDescriptor
        do throws(PhotoError) {
            file = try folder.open(name)
        } catch {
            guard error.isMissingFile else { throw error }
            self = .missing
            return
        }
        let status = try file.status()
        guard status.isRegular, status.size <= Self.greatestSize else {
            self = .damaged
            return
        }
        let bytes = try file.read(status.size)
        guard let structure = try? JPEGStructure(bytes.span) else {
            self = .damaged
            return
        }
        let frame = structure.frame
        guard frame.width == side, frame.height == side else {
            self = .wrongSize(width: frame.width, height: frame.height)
            return
        }
        let decoder = try JPEGDecoder()
        let decoded = try? decoder.decode(bytes, structure: structure, scale: .full)
        self = decoded?.isSound == true ? .sound : .damaged
    }
}
