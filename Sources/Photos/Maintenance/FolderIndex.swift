internal import Glibc

/// The photos and thumbnails in a folder, by their numbers, in ascending order.
///
/// A folder lists its files in no order, and there can be millions; `SortedNumbers` keeps the memory bounded.
struct FolderIndex: Sendable {
    /// What the folder has under one number.
    struct Entry: Equatable {
        var id: UInt64
        var hasPhoto = false
        var hasThumbnail = false
    }

    /// Files that are neither photo nor thumbnail nor temporary.
    private(set) var others = 0
    /// Photos and thumbnails.
    var files: Int { numbers.count }
    /// Photos.
    private(set) var photos = 0

    // Twice the number for a photo, and one more for a thumbnail.
    private var numbers: SortedNumbers

    /// Lists the folder.
    ///
    /// - Parameters:
    ///   - capacity: Files that are kept track of in memory, for eight bytes each.
    ///   - temporary: Called for every temporary file.
    init(
        of folder: Folder,
        capacity: Int = 1 << 20,
        temporary: (String) throws(PhotoError) -> Void = { _ throws(PhotoError) in }
    ) throws(PhotoError) {
        let temporaryPath = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var numbers = SortedNumbers(capacity: capacity) { () throws(PhotoError) in try Folder(path: temporaryPath) }
        var others = 0
        var photos = 0
        try folder.forEachName { name throws(PhotoError) in
            if let id = PhotoName.id(ofPhoto: name) {
                try numbers.add(id << 1)
                photos += 1
            } else if let id = PhotoName.id(ofThumbnail: name) {
                try numbers.add(id << 1 | 1)
            } else if name.hasPrefix(TemporaryName.prefix) {
                try temporary(name)
            } else if !LostAndFound.names.contains(name) {
                others += 1
            }
        }
        self.numbers = numbers
        self.others = others
        self.photos = photos
    }

    /// The entry with the next greater number; nil at the end.
    mutating func next() throws(PhotoError) -> Entry? {
        guard let first = try numbers.peek() else { return nil }
        var entry = Entry(id: first >> 1)
        while let number = try numbers.peek(), number >> 1 == entry.id {
            _ = try numbers.take()
            if number & 1 == 0 { entry.hasPhoto = true } else { entry.hasThumbnail = true }
        }
        return entry
    }
}
