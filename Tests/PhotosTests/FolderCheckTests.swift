import Foundation
import Testing

@testable import Photos

@Suite struct FolderCheckTests {
    private let folder: TemporaryFolder
    private let uploads: UploadDirectory

    private static let photo = Result { try Tool.convert("-size", "200x150", "plasma:", "jpeg:-") }
    private static let thumbnail = Result { try Tool.convert("-size", "90x90", "plasma:", "jpeg:-") }

    init() throws {
        folder = try TemporaryFolder()
        uploads = try UploadDirectory(path: folder.path)
    }

    private func put(_ ids: UInt64..., photo: Bool = true, thumbnail: Bool = true) throws {
        for id in ids {
            if photo { try folder.put(Self.photo.get(), as: "\(id).jpg") }
            if thumbnail { try folder.put(Self.thumbnail.get(), as: "\(id)-thumb.jpg") }
        }
    }

    @discardableResult
    private func check(
        _ rows: ListedRows,
        repairs: Bool = false,
        movesMany: Bool = false,
        photoPatience: Int = 0,
        rowPatience: Int = 0,
        recorder: Recorder = Recorder()
    ) throws -> (FolderCheck.Summary, Recorder) {
        var check = FolderCheck(directory: uploads, preparer: PhotoPreparer(), repairs: repairs, movesMany: movesMany)
        check.patience = FolderCheck.Patience(photos: photoPatience, rows: rowPatience)
        var rows = rows
        var recorder = recorder
        let summary = try check.run(rows: &rows, observer: &recorder)
        return (summary, recorder)
    }

    @Test func soundFolderHasNoFindings() throws {
        try put(1, 2, 10, 11)
        let (summary, recorder) = try check(ListedRows([1, 2, 10, 11]))
        #expect(recorder.findings == [])
        #expect(summary == FolderCheck.Summary(rows: 4, photos: 4))
        #expect(recorder.progress.map(\.done) == [1, 2, 3, 4])
        #expect(recorder.progress.allSatisfy { $0.total == 4 })
    }

    @Test func emptyFolderAndTable() throws {
        #expect(try check(ListedRows([])).0 == FolderCheck.Summary())
    }

    @Test(arguments: [false, true])
    func everyKindOfFinding(repairs: Bool) throws {
        try put(1, 5)
        try put(2, thumbnail: false)
        try put(3, photo: false)
        try put(4, 9)
        try put(8, thumbnail: false)
        try put(7, photo: false)
        try folder.put(Tool.convert("-size", "180x180", "plasma:", "jpeg:-"), as: "4-thumb.jpg")
        let whole = try Self.thumbnail.get()
        try folder.put(Array(whole.dropLast(200)), as: "5-thumb.jpg")
        try folder.put([1], as: ".ireporter-dead")
        try folder.put([1], as: "index.html")
        let hourAgo = Date(timeIntervalSinceNow: -3600)
        let stale = folder.path + "/.ireporter-dead"
        try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: stale)

        let (summary, recorder) = try check(ListedRows([1, 2, 3, 4, 5, 6]), repairs: repairs)
        let expected: [Finding] = [
            .staleTemporary(name: ".ireporter-dead"), .missingThumbnail(id: 2),
            .wrongSizedThumbnail(id: 4, width: 180, height: 180), .damagedThumbnail(id: 5),
            .thumbnailWithoutRow(id: 7), .photoWithoutRow(id: 8), .photoWithoutRow(id: 9),
            .rowWithoutPhoto(id: 3), .rowWithoutPhoto(id: 6),
        ]
        #expect(Set(recorder.findings.map { "\($0)" }) == Set(expected.map { "\($0)" }))
        #expect(recorder.findings.count == expected.count)
        #expect(summary.rows == 6)
        #expect(summary.others == 1)
        #expect(summary.findings == 9)
        #expect(summary.repaired == (repairs ? 7 : 0))
        #expect(summary.failed == 0)
        #expect(!summary.isIncomplete)
        if !repairs {
            #expect(recorder.outcomes.allSatisfy { $0 == .reported })
            return
        }
        let lost = ["7-thumb.jpg", "8.jpg", "9-thumb.jpg", "9.jpg"]
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/lost+found").sorted() == lost)
        let kept =
            [1, 2, 4, 5].flatMap { ["\($0)-thumb.jpg", "\($0).jpg"] } + ["3-thumb.jpg", "index.html", "lost+found"]
        #expect(folder.names == kept.sorted())
        // What is left is what cannot be repaired, and a second repair finds nothing else.
        let (_, second) = try check(ListedRows([1, 2, 3, 4, 5, 6]), repairs: true)
        #expect(Set(second.findings.map { "\($0)" }) == ["rowWithoutPhoto(id: 3)", "rowWithoutPhoto(id: 6)"])
    }

    @Test func orphansGoElsewhereWhereLostAndFoundIsClosed() throws {
        try put(1)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/lost+found",
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o000]
        )
        try asOrdinaryUser(ofFolder: folder.path) {
            let (summary, recorder) = try check(ListedRows([]), repairs: true)
            #expect(summary == FolderCheck.Summary(photos: 1, findings: 1, repaired: 1))
            #expect(recorder.findings == [.photoWithoutRow(id: 1)])
            #expect(recorder.outcomes == [.moved(to: "lost-photos")])
        }
        let moved = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/lost-photos").sorted()
        #expect(moved == ["1-thumb.jpg", "1.jpg"])
        // Neither of the two is somebody else's file.
        #expect(try check(ListedRows([])).0 == FolderCheck.Summary())
    }

    @Test func photoThatCannotBeDecodedIsKept() throws {
        try folder.put(Array("not a photo".utf8), as: "1.jpg")
        let (summary, recorder) = try check(ListedRows([1]), repairs: true)
        #expect(recorder.findings == [.missingThumbnail(id: 1)])
        #expect(recorder.outcomes == [.failed(.notAnImage(kind: "unknown"))])
        #expect(summary.failed == 1)
        #expect(folder.names == ["1.jpg"])
    }

    @Test func youngPhotoWithoutRowIsAnUploadUnderWay() throws {
        try put(1)
        let (summary, recorder) = try check(ListedRows([]), repairs: true, photoPatience: 300)
        #expect(recorder.findings == [])
        #expect(summary.young == 1)
        #expect(folder.names == ["1-thumb.jpg", "1.jpg"])
    }

    /// Thumbnails alone count as files too; nothing else does.
    @Test(arguments: [
        (photos: 20, rows: 9, thumbnails: 0, isRefused: true), (20, 10, 0, false), (20, 10, 1, true),
        (20, 11, 2, false), (20, 0, 0, true), (19, 0, 40, false),
    ])
    func mostOfAFolderIsNotMoved(photos: Int, rows: Int, thumbnails: Int, isRefused: Bool) throws {
        for id in 1...UInt64(photos) { try put(id) }
        for id in 0..<UInt64(thumbnails) { try put(100 + id, photo: false) }
        for name in ["index.html", "readme"] { try folder.put([1], as: name) }
        let names = folder.names
        let ids = Array(1...UInt64(photos)).suffix(rows)
        let listed = ListedRows(Array(ids))
        #expect(try check(listed).0.findings == photos - rows + thumbnails, "a report is never refused")
        if isRefused {
            let strays = 2 * (photos - rows) + thumbnails
            #expect(throws: TooManyStrays(strays: strays, files: 2 * photos + thumbnails)) {
                try check(listed, repairs: true)
            }
            #expect(folder.names == names)
            #expect(try check(listed, repairs: true, photoPatience: 300).0.young == photos - rows + thumbnails)
        }
        #expect(try check(listed, repairs: true, movesMany: isRefused).0.repaired == photos - rows + thumbnails)
        #expect(folder.names.count == 2 * rows + 3)
    }

    @Test func rowCommittedMeanwhileIsNotMissed() throws {
        try put(1)
        let (_, recorder) = try check(ListedRows([], later: [1]), repairs: true)
        #expect(recorder.findings == [])
        #expect(folder.names == ["1-thumb.jpg", "1.jpg"])
    }

    @Test func rowDeletedMeanwhileIsNotReported() throws {
        let (_, recorder) = try check(ListedRows([1, 2], later: [2]))
        #expect(recorder.findings == [.rowWithoutPhoto(id: 2)])
    }

    @Test func photoPublishedAfterTheListingIsFound() throws {
        let path = folder.path
        let photo = try Self.photo.get()
        let thumbnail = try Self.thumbnail.get()
        // While the check waits before its second look.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
            try? Data(thumbnail).write(to: URL(fileURLWithPath: path + "/1-thumb.jpg"))
            try? Data(photo).write(to: URL(fileURLWithPath: path + "/1.jpg"))
        }
        let (_, recorder) = try check(ListedRows([1]), rowPatience: 2)
        #expect(recorder.findings == [])
    }

    @Test func canBeStoppedAndRunAgain() throws {
        try put(1, 2, 3, thumbnail: false)
        var stopping = Recorder()
        stopping.patience = 1
        let (summary, first) = try check(ListedRows([1, 2, 3]), repairs: true, recorder: stopping)
        #expect(summary.isIncomplete)
        #expect(first.findings == [.missingThumbnail(id: 1)])
        let (_, second) = try check(ListedRows([1, 2, 3]), repairs: true)
        #expect(second.findings == [.missingThumbnail(id: 2), .missingThumbnail(id: 3)])
        #expect(try check(ListedRows([1, 2, 3])).0.findings == 0)
    }

    @Test func manyRowsWithoutAFolderToMatch() throws {
        let (summary, recorder) = try check(ListedRows(Array(1...20_000)))
        #expect(summary.findings == 20_000)
        #expect(recorder.findings.first == .rowWithoutPhoto(id: 1))
        #expect(recorder.findings.last == .rowWithoutPhoto(id: 20_000))
    }
}
