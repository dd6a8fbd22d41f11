internal import Glibc

/// Points in time as text.
enum CalendarTime {
    /// Whose clock it is.
    enum Zone {
        /// This machine's.
        case local
        /// UTC.
        case universal
    }

    /// ISO 8601 with the offset from UTC, for `text`.
    static let iso8601 = "%Y-%m-%dT%H:%M:%S%z"

    /// A time in the form of `strftime`, with English names.
    ///
    /// - Parameter seconds: since 1970; nil is now.
    static func text(_ format: String, _ zone: Zone, at seconds: Int? = nil) -> String {
        var seconds = seconds ?? time(nil)
        var parts = unsafe tm()
        switch zone {
        case .local: unsafe localtime_r(&seconds, &parts)
        case .universal: unsafe gmtime_r(&seconds, &parts)
        }
        var text = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
