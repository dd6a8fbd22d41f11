internal import Glibc

/// The program that takes this process over when it is reloaded: what stands at the path it was started from.
enum Successor {
    /// The path, as it was at the start; a program that is replaced later has another one's place.
    static let path: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Whether there is a program at the path.
    static var isThere: Bool {
        unsafe access(path, X_OK) == 0
    }

    /// Becomes the successor, with the same arguments, environment and process number.
    ///
    /// Returns only if that is impossible.
    static func execute() {
        let arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        unsafe execv(path, arguments)
    }
}
