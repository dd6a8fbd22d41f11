import Foundation
import Testing

@testable import Photos

@Suite struct ThumbnailRebuildTests {
    private let folder: TemporaryFolder
    private let uploads: UploadDirectory

    private static let photo = Result { try Tool.convert("-size", "200x150", "plasma:", "jpeg:-") }

    init() throws {
        folder = try TemporaryFolder()
        uploads = try UploadDirectory(path: folder.path)
    }

    private func rebuild(
        threads: Int = 3,
        side: Int = 90,
        after id: UInt64 = 0,
        patience: Int = .max
    ) throws -> (ThumbnailRebuild.Summary, Recorder) {
        let preparer = PhotoPreparer(thumbnail: ThumbnailOptions(side: side))
        let rebuild = ThumbnailRebuild(directory: uploads, preparer: preparer, threads: threads)
        var recorder = Recorder()
        recorder.patience = patience
        let summary = try rebuild.run(after: id, observer: &recorder)
        return (summary, recorder)
    }

    private func side(of id: Int) throws -> Int {
        let thumbnail = try folder.bytes("\(id)-thumb.jpg")
        return try JPEGStructure(thumbnail.span).frame.width
    }

    @Test(arguments: [1, 2, 5])
    func everyPhotoGetsANewThumbnail(threads: Int) throws {
        for id in 1...30 { try folder.put(Self.photo.get(), as: "\(id).jpg") }
        for id in [2, 4] { try folder.put([1, 2, 3], as: "\(id)-thumb.jpg") }
        try folder.put([9], as: "77-thumb.jpg")
        let (summary, recorder) = try rebuild(threads: threads, side: 50)
        #expect(summary == ThumbnailRebuild.Summary(photos: 30, rebuilt: 30, last: 30))
        #expect(recorder.findings == [])
        #expect(recorder.progress.map(\.done) == Array(1...30))
        for id in 1...30 { #expect(try side(of: id) == 50) }
        // Nothing else changed: neither photos, nor thumbnails without photo, nor are temporary files left.
        #expect(try folder.bytes("1.jpg") == Self.photo.get())
        #expect(try folder.bytes("77-thumb.jpg") == [9])
        #expect(folder.names.count == 61)
    }

    @Test func photosThatCannotBeDecodedAreReported() throws {
        try folder.put(Self.photo.get(), as: "1.jpg")
        try folder.put(Array("GIF89a".utf8), as: "2.jpg")
        try folder.put(Tool.convert("-size", "200x150", "plasma:", "png:-"), as: "3.jpg")
        let (summary, recorder) = try rebuild()
        #expect(summary.rebuilt == 2)
        #expect(summary.failed == 1)
        #expect(recorder.findings == [.missingThumbnail(id: 2)])
        #expect(recorder.outcomes == [.failed(.notAnImage(kind: "GIF"))])
        #expect(try side(of: 3) == 90)
    }

    @Test func goesOnWhereItWasStopped() throws {
        for id in 1...9 { try folder.put(Self.photo.get(), as: "\(id).jpg") }
        let (first, _) = try rebuild(threads: 1, patience: 4)
        #expect(first.isIncomplete)
        #expect(first.last == 4)
        #expect(first.rebuilt == 4)
        let (second, _) = try rebuild(threads: 1, side: 50, after: first.last)
        #expect(second.rebuilt == 5)
        #expect(second.last == 9)
        #expect(try (1...9).map { try side(of: $0) } == [90, 90, 90, 90, 50, 50, 50, 50, 50])
    }

    @Test func servesTheOldOrTheNewOneButNeverAHalf() throws {
        try folder.put(Self.photo.get(), as: "1.jpg")
        _ = try rebuild()
        let path = folder.path + "/1-thumb.jpg"
        let sound = try folder.bytes("1-thumb.jpg")
        let stop = Locked(false)
        let reader = Thread {
            while !stop.withLock({ $0 }) {
                let found = FileManager.default.contents(atPath: path).map { Array($0) }
                if found != sound { Issue.record("something else was served") }
            }
        }
        reader.start()
        for _ in 0..<30 { _ = try rebuild(threads: 1) }
        stop.withLock { $0 = true }
    }

    @Test func emptyFolder() throws {
        #expect(try rebuild().0 == ThumbnailRebuild.Summary())
    }
}
