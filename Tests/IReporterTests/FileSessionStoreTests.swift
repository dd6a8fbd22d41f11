import Foundation
import Glibc
import PHPSemantics
import Testing

@testable import IReporter

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

    /// A request of PHP's that holds a session's lock for a while and writes at its end, before it lets go.
    private func usePHP(on id: String, writing content: String) {
        let descriptor = unsafe open(folder.file(id), O_RDWR)
        flock(descriptor, LOCK_EX)
        // A thread of its own: the tests' pool may be busy for longer than the store waits.
        let php = Thread {
            usleep(100_000)
            _ = unsafe pwrite(descriptor, content, content.utf8.count, 0)
            close(descriptor)
        }
        php.start()
    }

    @Test func readingWaitsForPHPsLock() throws {
        folder.plant("abc", #"IdUser|s:2:"13";"#)
        usePHP(on: "abc", writing: #"IdUser|s:2:"14";"#)
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
        usePHP(on: "abc", writing: #"IdUser|s:2:"14";x|s:1:"y";"#)
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
