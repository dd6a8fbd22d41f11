import Foundation
import Glibc

@testable import IReporter

/// A folder of session files for one test.
final class SessionFolder {
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
