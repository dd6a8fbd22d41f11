internal import Glibc

/// The program that takes this process over when it is reloaded: what stands at the path it was started from.
enum Successor {
    /// The path, as it was at the start; a program that is replaced later has another one's place.
    static let path: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Why the program could not take over; nil if nothing speaks against it.
    static var obstacle: String? {
        guard unsafe access(path, X_OK) == 0 else {
            return "there is no program at \(path) to make way for"
        }
        // One that is still being copied would end this process in its place.
        return tellsVersion ? nil : "the program at \(path) does not run"
    }

    /// Whether the program does the least that it can be asked for, within five seconds.
    private static var tellsVersion: Bool {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0)
        }
        let arguments = unsafe [strdup(path), strdup("--version"), nil]
        defer {
            unsafe free(arguments[0])
            unsafe free(arguments[1])
        }
        var child: pid_t = 0
        guard unsafe posix_spawn(&child, path, &files, nil, arguments, environ) == 0 else {
            return false
        }
        var status: Int32 = 0
        for _ in 0..<500 {
            if unsafe waitpid(child, &status, WNOHANG) == child {
                return status == 0
            }
            usleep(10_000)
        }
        kill(child, SIGKILL)
        unsafe waitpid(child, &status, 0)
        return false
    }

    /// Becomes the successor, with the same arguments, environment and process number.
    ///
    /// - Throws: `CannotExecute`; it does not return otherwise.
    static func execute() throws(CannotExecute) -> Never {
        let arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        unsafe execv(path, arguments)
        throw CannotExecute(reason: unsafe String(cString: strerror(errno)))
    }

    /// The program could not be executed.
    struct CannotExecute: Error, CustomStringConvertible {
        let reason: String

        var description: String { "cannot execute \(Successor.path): \(reason)" }
    }
}
