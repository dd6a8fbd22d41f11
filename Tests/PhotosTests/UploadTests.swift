import Photos
import Testing

@Suite struct UploadTests {
    private let folder: TemporaryFolder
    private let uploads: UploadDirectory

    init() throws {
        folder = try TemporaryFolder()
        uploads = try UploadDirectory(path: folder.path)
    }

    private func receive(_ bytes: [UInt8]) throws -> TemporaryFile {
        let file = try uploads.makeTemporary()
        try file.write(bytes.span)
        return file
    }

    @Test func publishedPhotoIsWhatWasSentBesideItsThumbnail() throws {
        let sent = try Tool.convert("-size", "640x480", "plasma:", "jpeg:-")
        let prepared = try PhotoPreparer().prepare(receive(sent), in: uploads)
        #expect(folder.names == [])
        try uploads.publish(prepared, as: 7)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg"])
        #expect(try folder.bytes("7.jpg") == sent)
        let size = try Tool.run("identify", ["-format", "%wx%h %m", folder.path + "/7-thumb.jpg"], input: [])
        #expect(String(decoding: size, as: UTF8.self) == "90x90 JPEG")
    }

    @Test func orphanOfTheSameNumberMovesToLostAndFound() throws {
        try folder.put([1, 2, 3], as: "7.jpg")
        let sent = try Tool.convert("-size", "100x80", "plasma:", "jpeg:-")
        let published = try uploads.publish(PhotoPreparer().prepare(receive(sent), in: uploads), as: 7)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg", "lost+found"])
        #expect(try folder.bytes("lost+found/7.jpg") == [1, 2, 3])
        try uploads.withdraw(published)
        #expect(folder.names == ["lost+found"])
    }

    @Test(arguments: [
        ([], PhotoError.notAnImage(kind: "an empty file")),
        (Array("GIF89a".utf8), .notAnImage(kind: "GIF")),
        ([0xFF, 0xD8, 0xFF, 0xD9], .broken("it ends before its first scan")),
    ])
    func refusedFileLeavesNothing(bytes: [UInt8], expected: PhotoError) throws {
        #expect(throws: expected) { _ = try PhotoPreparer().prepare(receive(bytes), in: uploads) }
        #expect(folder.names == [])
    }
}
