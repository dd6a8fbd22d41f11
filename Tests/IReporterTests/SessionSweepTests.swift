import Foundation
import Glibc
import Testing

@testable import IReporter

/// Files of ended sessions are removed now and then, a few at a time.
@Suite struct SessionSweepTests {
    private let folder = SessionFolder()

    private func store() throws -> FileSessionStore {
        try FileSessionStore(directory: folder.path, lifetime: 1440)
    }

    @Test func onlyEndedSessionsAreRemoved() throws {
        folder.plant("old", #"IdUser|s:2:"13";"#, age: 2000)
        folder.plant("new", #"IdUser|s:2:"13";"#, age: 20)
        try store().keepHouse(second: FileSessionStore.firstSweep)
        #expect(folder.names == ["sess_new"])
    }

    @Test func sharedFolderIsNotCleaned() throws {
        folder.plant("old", #"IdUser|s:2:"13";"#, age: 2000)
        unsafe chmod(folder.path, 0o1733)
        try store().keepHouse(second: FileSessionStore.firstSweep)
        unsafe chmod(folder.path, 0o700)
        #expect(folder.names == ["sess_old"])
    }

    @Test func folderIsSweptNowAndThenOnly() throws {
        folder.plant("old", #"IdUser|s:2:"13";"#, age: 2000)
        let store = try store()
        let (first, interval) = (FileSessionStore.firstSweep, FileSessionStore.sweepInterval)
        for second in [1, first - 1, first + 1, interval, first + interval - 1] {
            store.keepHouse(second: second)
        }
        #expect(folder.names == ["sess_old"])
        store.keepHouse(second: first + interval)
        #expect(folder.names == [])
    }

    @Test func sweepRemovesNothingButFilesOfSessions() throws {
        folder.plant("real", #"IdUser|s:2:"13";"#, age: 2000)
        unsafe link(folder.file("real"), "\(folder.path)/other")
        unsafe symlink("\(folder.path)/other", folder.file("symbolic"))
        unsafe mkdir(folder.file("folder"), 0o700)
        folder.plant("no session", "", age: 2000)
        for name in ["symbolic", "folder"] {
            folder.setAge(name, 2000)
        }
        try store().keepHouse(second: FileSessionStore.firstSweep)
        #expect(folder.names == ["other", "sess_folder", "sess_no session", "sess_symbolic"])
    }

    @Test func sweepGoesOnWhereItStopped() throws {
        for number in 0..<200 {
            folder.plant("old\(number)", #"IdUser|s:2:"13";"#, age: 2000)
        }
        let sweep = SessionSweep(directory: folder.path, lifetime: 1440)
        sweep.advance(for: .seconds(1))
        #expect(folder.names.count == 200)
        sweep.begin()
        sweep.advance(for: .zero)
        let left = folder.names.count
        #expect((1..<200).contains(left))
        sweep.begin()
        sweep.advance(for: .zero)
        #expect((1..<left).contains(folder.names.count))
        sweep.advance(for: .seconds(60))
        #expect(folder.names.isEmpty)
    }
}
