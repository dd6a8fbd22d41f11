import Foundation
import Glibc
import PHPSemantics
import Testing

@testable import IReporter

/// A folder of session files for one test.
private final class SessionFolder {
    let path: String

    init() {
        var template = Array("/tmp/session-test-XXXXXX".utf8CString)
        path = unsafe String(cString: mkdtemp(&template))
    }

    deinit {
        for name in names {
            unsafe unlink("\(path)/\(name)")
            unsafe rmdir("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }

    var names: [String] {
        guard let listing = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") {
                names.append(name)
            }
        }
        return names.sorted()
    }

    func file(_ id: String) -> String { "\(path)/sess_\(id)" }

    func plant(_ id: String, _ content: String, age: Int = 0) {
        let descriptor = unsafe open(file(id), O_CREAT | O_TRUNC | O_WRONLY, 0o600)
        _ = unsafe write(descriptor, content, content.utf8.count)
        close(descriptor)
        setAge(id, age)
    }

    func setAge(_ id: String, _ age: Int) {
        let times = [timespec(tv_sec: time(nil) - age, tv_nsec: 0), timespec(tv_sec: time(nil) - age, tv_nsec: 0)]
        unsafe utimensat(AT_FDCWD, file(id), times, AT_SYMLINK_NOFOLLOW)
    }

    func age(_ id: String) -> Int {
        var status = stat()
        unsafe lstat(file(id), &status)
        return time(nil) - status.st_mtim.tv_sec
    }

    func content(_ id: String) -> String? {
        FileDescriptor.openForReading(file(id))?.readAll(limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite struct FileSessionStoreTests {
    private let folder = SessionFolder()

    private func store(lifetime: Int = 1440) throws -> FileSessionStore {
        try FileSessionStore(directory: folder.path, lifetime: lifetime)
    }

    private func id(_ text: String) -> SessionID { SessionID(text.utf8)! }

    @Test func readsWhatPHPWrote() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        #expect(try store().read(id("abc"))?.loggedInUser() == 13)
    }

    @Test func unknownSessionIsNone() throws {
        #expect(try store().read(id("abc")) == nil)
    }

    @Test func newSessionIsAsPHPWritesIt() throws {
        let new = try store().begin(user: 13, replacing: nil)
        #expect(new.bytes.count == 26)
        #expect(folder.names == ["sess_\(new)"])
        #expect(folder.content("\(new)") == #"IdUser|s:2:"13";"#)
        var status = stat()
        unsafe lstat(folder.file("\(new)"), &status)
        #expect(status.st_mode == S_IFREG | 0o600)
    }

    @Test func loginKeepsOtherKeysUnderANewID() throws {
        folder.plant("abc", #"cart|a:1:{i:0;s:3:"x;|";}IdUser|s:1:"5";n|i:7;"#)
        let new = try store().begin(user: 13, replacing: id("abc"))
        #expect(new != id("abc"))
        #expect(folder.names == ["sess_\(new)"])
        #expect(folder.content("\(new)") == #"cart|a:1:{i:0;s:3:"x;|";}IdUser|s:2:"13";n|i:7;"#)
    }

    @Test func unknownIDIsNotAdopted() throws {
        let new = try store().begin(user: 13, replacing: id("chosen-by-somebody-else"))
        #expect(folder.names == ["sess_\(new)"])
        #expect(new != id("chosen-by-somebody-else"))
    }

    @Test func idsDiffer() throws {
        let store = try store()
        let ids = try (0..<200).map { _ in try store.begin(user: 1, replacing: nil) }
        #expect(Set(ids).count == 200)
    }

    @Test func destroyedSessionIsGone() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        try store().destroy(id("abc"))
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [(1440, true), (1441, false)])
    func sessionEndsWhenIdle(age: Int, lives: Bool) throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#, age: age - 1)
        // One second of leeway for a second that passes in between.
        if !lives {
            folder.setAge("abc", age + 1)
        }
        #expect((try store().read(id("abc")) != nil) == lives)
    }

    @Test func useKeepsASessionAlive() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#, age: 1000)
        _ = try store().read(id("abc"))
        #expect(folder.age("abc") < 5)
        folder.setAge("abc", 1000)
        try store().touch(id("abc"))
        #expect(folder.age("abc") < 5)
    }

    @Test func useOfAFreshSessionWritesNothing() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#, age: 30)
        _ = try store().read(id("abc"))
        try store().touch(id("abc"))
        #expect(folder.age("abc") >= 30)
    }

    @Test func touchDoesNotReviveAnEndedSession() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#, age: 2000)
        try store().touch(id("abc"))
        #expect(folder.age("abc") >= 2000)
    }

    @Test func plantedLinksAndFoldersLogNobodyIn() throws {
        folder.plant("real", #"IdUser|s:2:"13";"#)
        unsafe symlink(folder.file("real"), folder.file("symbolic"))
        unsafe mkdir(folder.file("folder"), 0o700)
        unsafe mkfifo(folder.file("pipe"), 0o600)
        for name in ["symbolic", "folder", "pipe"] {
            #expect(try store().read(id(name)) == nil, "\(name)")
        }
        unsafe link(folder.file("real"), folder.file("hard"))
        #expect(try store().read(id("hard")) == nil)
    }

    @Test func otherOwnersFilesLogNobodyIn() throws {
        // Only root can give files away; elsewhere the rule cannot be shown.
        guard geteuid() == 0 else { return }
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        unsafe chown(folder.file("abc"), 65_534, 65_534)
        #expect(try store().read(id("abc")) == nil)
    }

    @Test func hugeFileIsNotRead() throws {
        folder.plant("abc", #"IdUser|s:2:"13";x|s:2000000:""# + String(repeating: "y", count: 2_000_000) + #"";"#)
        #expect(try store().read(id("abc")) == nil)
    }

    @Test func garbageIsAnEmptySession() throws {
        folder.plant("abc", #"IdUser|s:99:"13";"#)
        #expect(try store().read(id("abc"))?.loggedInUser() == nil)
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

    @Test func readingWaitsForPHPsLock() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        let descriptor = unsafe open(folder.file("abc"), O_RDWR)
        flock(descriptor, LOCK_EX)
        // A thread of its own: the tests' pool may be busy for longer than the store waits.
        let php = Thread {
            usleep(100_000)
            // PHP writes at the end of its request, and only then lets go.
            let content = #"IdUser|s:2:"14";"#
            _ = unsafe pwrite(descriptor, content, content.utf8.count, 0)
            close(descriptor)
        }
        php.start()
        #expect(try store().read(id("abc"))?.loggedInUser() == 14)
    }

    @Test func sessionEndsEvenIfPHPKeepsItsLock() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        let descriptor = unsafe open(folder.file("abc"), O_RDWR)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        try store().destroy(id("abc"))
        let content = #"IdUser|s:2:"14";"#
        _ = unsafe pwrite(descriptor, content, content.utf8.count, 0)
        #expect(folder.names == [])
    }

    @Test func logInOverASessionThatPHPKeepsLockedTakesNothingFromItAndEndsIt() throws {
        folder.plant("abc", #"IdUser|s:2:"13";x|s:1:"y";"#)
        let descriptor = unsafe open(folder.file("abc"), O_RDWR)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        let id = try store().begin(user: 14, replacing: id("abc"))
        #expect(folder.names == ["sess_\(id)"])
        #expect(try String(contentsOfFile: folder.file("\(id)"), encoding: .utf8) == #"IdUser|s:2:"14";"#)
    }

    @Test func logInWaitsForPHPsLockOnThePreviousSession() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        let descriptor = unsafe open(folder.file("abc"), O_RDWR)
        flock(descriptor, LOCK_EX)
        let php = Thread {
            usleep(100_000)
            let content = #"IdUser|s:2:"14";x|s:1:"y";"#
            _ = unsafe pwrite(descriptor, content, content.utf8.count, 0)
            close(descriptor)
        }
        php.start()
        let id = try store().begin(user: 15, replacing: id("abc"))
        #expect(folder.names == ["sess_\(id)"])
        #expect(try String(contentsOfFile: folder.file("\(id)"), encoding: .utf8) == #"IdUser|s:2:"15";x|s:1:"y";"#)
    }

    @Test func previousSessionEndsEvenIfItIsGarbage() throws {
        folder.plant("abc", #"IdUser|s:99:"13";"#)
        let id = try store().begin(user: 14, replacing: id("abc"))
        #expect(folder.names == ["sess_\(id)"])
    }

    @Test func missingFolderIsNamed() {
        #expect(throws: SessionError.unusableDirectory("/nonexistent", "No such file or directory")) {
            try FileSessionStore(directory: "/nonexistent", lifetime: 1)
        }
    }
}
