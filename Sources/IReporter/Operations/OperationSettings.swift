public import FastCGI

/// What an administrator can set about watching the worker.
public struct OperationSettings: Sendable, Equatable {
    /// Form of the access log's lines; `IREPORTER_ACCESS_FORMAT`.
    public enum AccessFormat: String, Sendable, CaseIterable {
        /// nginx's `combined`, followed by command, outcome and duration.
        case combined
        /// One JSON object a line.
        case json
    }

    /// Where requests are logged; `IREPORTER_ACCESS_LOG`.
    public enum AccessTarget: Sendable, Equatable {
        /// Nowhere.
        case none
        /// Standard error.
        case standardError
        /// A file.
        case file(String)
    }

    /// Where the status is asked for; nil for nowhere; `IREPORTER_STATUS_LISTEN`.
    public var statusListen: ListenAddress?
    /// Milliseconds from which a request is logged as slow; 0 logs none; `IREPORTER_SLOW_MS`.
    public var slowMilliseconds = 1000
    /// Whether lines of the log begin with the time; `IREPORTER_LOG_TIME`.
    public var logsTime = false
    /// Where requests are logged.
    public var accessLog = AccessTarget.none
    /// In which form.
    public var accessFormat = AccessFormat.combined

    /// The defaults.
    public init() {}
}
