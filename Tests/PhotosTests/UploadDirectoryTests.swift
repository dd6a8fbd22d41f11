import Foundation
import Glibc
import Testing

@testable import Photos

/// Nothing lost, nothing half-done: the upload folder, with nameless and with named temporary files.
@Suite(.serialized) struct UploadDirectoryTests {
    private let folder: TemporaryFolder
    private let uploads: UploadDirectory

    init() throws {
        folder = try TemporaryFolder()
        uploads = try UploadDirectory(path: folder.path)
    }

    private func uploads(named: Bool) -> UploadDirectory {
        var uploads = uploads
        uploads.namesTemporaries = named
        return uploads
    }

    private func temporary(_ contents: String, in uploads: UploadDirectory) throws -> TemporaryFile {
        let file = try uploads.makeTemporary()
        try file.write(Array(contents.utf8))
        return file
    }

    private func prepared(_ contents: String, in uploads: UploadDirectory) throws -> PreparedPhoto {
        let photo = try temporary(contents, in: uploads)
        let thumbnail = try uploads.makeTemporary(in: photo.folder)
        try thumbnail.write(Array("small \(contents)".utf8))
        return PreparedPhoto(photo: photo, thumbnail: thumbnail, flushTime: .zero)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.bytes(name), as: UTF8.self)
    }

    @Test(arguments: [false, true])
    func bothFilesGetTheirNames(named: Bool) throws {
        let uploads = uploads(named: named)
        let photo = try prepared("one", in: uploads)
        let visible = folder.names.filter { !$0.hasPrefix(".ireporter-") }
        #expect(visible == [])
        #expect(folder.names.count == (named ? 2 : 0))
        try uploads.publish(photo, as: 7)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg"])
        #expect(try text("7.jpg") == "one")
        #expect(try text("7-thumb.jpg") == "small one")
    }

    @Test(arguments: [false, true])
    func modeDoesNotDependOnTheProcessMask(named: Bool) throws {
        let uploads = try UploadDirectory(path: folder.path, mode: 0o664)
        var changed = uploads
        changed.namesTemporaries = named
        let mask = umask(0o077)
        defer { umask(mask) }
        try changed.publish(prepared("one", in: changed), as: 7)
        for name in ["7.jpg", "7-thumb.jpg"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o664)
        }
    }

    @Test func groupIsSet() throws {
        let uploads = try UploadDirectory(path: folder.path, group: getegid())
        try uploads.publish(prepared("one", in: uploads), as: 7)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/7.jpg")
        #expect(attributes[.groupOwnerAccountID] as? Int == Int(getegid()))
    }

    @Test(arguments: [false, true])
    func abandonedTemporaryVanishes(named: Bool) throws {
        let uploads = uploads(named: named)
        var file: TemporaryFile? = try temporary("one", in: uploads)
        #expect(file?.count == 3)
        file = nil
        #expect(folder.names == [])
    }

    @Test(arguments: [false, true])
    func orphanPhotosAreMovedAsideEachUnderItsOwnName(named: Bool) throws {
        let uploads = uploads(named: named)
        for round in 1...3 {
            try uploads.publish(prepared("round \(round)", in: uploads), as: 7)
        }
        #expect(try text("7.jpg") == "round 3")
        #expect(try text("7-thumb.jpg") == "small round 3")
        #expect(try text("lost+found/7.jpg") == "round 1")
        #expect(try text("lost+found/7.jpg.2") == "round 2")
        #expect(try text("lost+found/7-thumb.jpg.2") == "small round 2")
    }

    /// Such as the file system's own in the root of a volume, which is root's.
    @Test(arguments: [0o000, 0o555], [false, true])
    func orphansGoElsewhereWhereLostAndFoundIsClosed(mode: Int, named: Bool) throws {
        let uploads = uploads(named: named)
        let lost = folder.path + "/lost+found"
        try FileManager.default.createDirectory(
            atPath: lost,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: mode]
        )
        try asOrdinaryUser(ofFolder: folder.path) {
            for round in 1...3 {
                try uploads.publish(prepared("round \(round)", in: uploads), as: 7)
            }
        }
        #expect(try text("7.jpg") == "round 3")
        #expect(try text("lost-photos/7.jpg") == "round 1")
        #expect(try text("lost-photos/7.jpg.2") == "round 2")
        #expect(try text("lost-photos/7-thumb.jpg.2") == "small round 2")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/lost-photos")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: lost)
        #expect(try FileManager.default.contentsOfDirectory(atPath: lost) == [])
    }

    @Test(arguments: [false, true])
    func failureAtTheSecondNameLeavesNeither(named: Bool) throws {
        let uploads = uploads(named: named)
        // A folder by that name cannot be moved aside as a file can.
        try FileManager.default.createDirectory(atPath: folder.path + "/7.jpg", withIntermediateDirectories: false)
        #expect(throws: PhotoError.self) { try uploads.publish(prepared("one", in: uploads), as: 7) }
        #expect(folder.names == ["7.jpg", "lost+found"])
    }

    @Test(arguments: [false, true])
    func withdrawingTakesBothNamesBack(named: Bool) throws {
        let uploads = uploads(named: named)
        let published = try uploads.publish(prepared("one", in: uploads), as: 7)
        #expect(published.id == 7)
        try uploads.withdraw(published)
        #expect(folder.names == [])
        #expect(throws: PhotoError.storage(errno: ENOENT, operation: "remove a file")) {
            try uploads.withdraw(published)
        }
    }

    @Test func missingFolderIsRefused() {
        #expect(throws: PhotoError.storage(errno: ENOENT, operation: "open the folder")) {
            try UploadDirectory(path: folder.path + "/missing")
        }
    }

    @Test func folderThatVanishedFailsUploadsUntilItIsBack() throws {
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: PhotoError.storage(errno: ENOENT, operation: "open the folder")) {
            try uploads.makeTemporary()
        }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try uploads.publish(prepared("one", in: uploads), as: 7)
        #expect(folder.names == ["7-thumb.jpg", "7.jpg"])
    }

    @Test func folderReplacedDuringAnUploadFailsThatUpload() throws {
        let photo = try prepared("one", in: uploads)
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-old")
        defer { try? FileManager.default.removeItem(atPath: folder.path + "-old") }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        do {
            try uploads.publish(photo, as: 7)
            Issue.record("published into a folder that is not served")
        } catch {
            let operation = "keep its place while a photo was published"
            #expect(error == .storage(errno: ESTALE, operation: operation))
        }
        #expect(folder.names == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "-old") == [])
        // The next one goes to the new folder.
        try uploads.publish(prepared("two", in: uploads), as: 8)
        #expect(folder.names == ["8-thumb.jpg", "8.jpg"])
    }

    @Test func verifyingLeavesNothing() throws {
        try uploads.verify()
        try uploads(named: true).verify()
        #expect(folder.names == [])
    }

    @Test func onlyRemainsOfDeadProcessesAreStale() throws {
        let named = uploads(named: true)
        let living = try temporary("living", in: named)
        let livingName = try #require(folder.names.first)
        for name in [".ireporter-dead", ".ireporter-young", ".other", "7.jpg"] { try folder.put([1], as: name) }
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.ireporter-folder",
            withIntermediateDirectories: false
        )
        let hourAgo = Date(timeIntervalSinceNow: -3600)
        for name in [livingName, ".ireporter-dead", ".ireporter-folder", ".other"] {
            try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: folder.path + "/" + name)
        }
        #expect(try uploads.removeStaleTemporaries() == 1)
        let left = [livingName, ".ireporter-young", ".ireporter-folder", ".other", "7.jpg"]
        #expect(folder.names == left.sorted())
        withExtendedLifetime(living) {}
    }

    @Test(arguments: [false, true])
    func manyThreadsDoNotDisturbEachOther(named: Bool) throws {
        let uploads = uploads(named: named)
        let path = folder.path
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            do {
                let file = try uploads.makeTemporary()
                try file.write(Array("photo \(number)".utf8))
                let thumbnail = try uploads.makeTemporary(in: file.folder)
                try uploads.publish(
                    PreparedPhoto(photo: file, thumbnail: thumbnail, flushTime: .zero),
                    as: UInt64(number)
                )
                _ = try uploads.removeStaleTemporaries()
            } catch {
                Issue.record(error)
            }
        }
        let photos = (0..<40).compactMap { FileManager.default.contents(atPath: "\(path)/\($0).jpg") }
        #expect(photos.map { String(decoding: $0, as: UTF8.self) } == (0..<40).map { "photo \($0)" })
        #expect(folder.names.count == 80)
    }

    @Test func listingHoldsEveryName() throws {
        let names = (0..<500).map { "\($0).jpg" }
        for name in names { try folder.put([], as: name) }
        var found: [String] = []
        try Folder(path: folder.path).forEachName { found.append($0) }
        #expect(found.sorted() == names.sorted())
    }
}
