internal import FastCGI
internal import Glibc

/// One line for each request, in a file or on standard error.
///
/// A line is one `write` to a file opened for appending, so lines of several threads and processes never mix.
public final class AccessLog: Sendable {
    private let format: OperationSettings.AccessFormat
    private let path: String?
    private let file: Locked<Int32>

    /// Opens the log that the settings name; nil if they name none.
    ///
    /// - Throws: `AccessLogError` if the file cannot be opened.
    init?(_ settings: OperationSettings) throws(AccessLogError) {
        format = settings.accessFormat
        switch settings.accessLog {
        case .none:
            return nil
        case .standardError:
            path = nil
            file = Locked(2)
        case .file(let path):
            self.path = path
            file = Locked(try Self.open(path))
        }
    }

    deinit {
        if path != nil {
            close(file.withLock { $0 })
        }
    }

    /// Opens the file anew, after it was renamed; keeps the old one if that fails.
    public func reopen() {
        guard let path else {
            return
        }
        do throws(AccessLogError) {
            let fresh = try Self.open(path)
            let old = file.withLock { file in
                defer { file = fresh }
                return file
            }
            close(old)
        } catch {
            Log.write("\(error)")
        }
    }

    /// Writes one line.
    func write(_ entry: AccessLogEntry) {
        let line =
            switch format {
            case .combined: entry.combined(time: CalendarTime.text("%d/%b/%Y:%H:%M:%S %z", .local))
            case .json: entry.json(time: CalendarTime.text(CalendarTime.iso8601, .local))
            }
        // Inside the lock, so that the file is not closed meanwhile.
        file.withLock { file in
            _ = unsafe Glibc.write(file, line, line.count)
        }
    }

    private static func open(_ path: String) throws(AccessLogError) -> Int32 {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw AccessLogError(path: path, reason: errnoText())
        }
        return descriptor
    }
}

/// The access log cannot be opened.
public struct AccessLogError: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    /// One sentence for the administrator.
    public var description: String { "cannot open the access log \(path): \(reason)" }
}
