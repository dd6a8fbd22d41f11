import Testing

@testable import Photos

@Suite struct FolderIndexTests {
    @Test(arguments: [2, 3, 1000])
    func pairsPhotosAndThumbnails(capacity: Int) throws {
        let folder = try TemporaryFolder()
        let names = [
            "7.jpg", "7-thumb.jpg", "10.jpg", "2-thumb.jpg", "9223372036854775807.jpg", ".ireporter-x", "index.php",
            "007.jpg", "0.jpg", "+3.jpg", "9223372036854775808.jpg", "8.jpeg", "-thumb.jpg", ".jpg",
            "7-thumb-thumb.jpg",
        ]
        for name in names { try folder.put([], as: name) }
        _ = try Folder(path: folder.path).subfolder("lost+found", creating: 0o700)
        var temporaries: [String] = []
        var index = try FolderIndex(of: Folder(path: folder.path), capacity: capacity) { temporaries.append($0) }
        #expect(index.photos == 3)
        #expect(index.files == 5)
        #expect(index.others == 9)
        #expect(temporaries == [".ireporter-x"])
        var entries: [FolderIndex.Entry] = []
        while let entry = try index.next() { entries.append(entry) }
        #expect(
            entries == [
                FolderIndex.Entry(id: 2, hasPhoto: false, hasThumbnail: true),
                FolderIndex.Entry(id: 7, hasPhoto: true, hasThumbnail: true),
                FolderIndex.Entry(id: 10, hasPhoto: true, hasThumbnail: false),
                FolderIndex.Entry(id: UInt64(Int64.max), hasPhoto: true, hasThumbnail: false),
            ]
        )
    }
}
