/// A statement's failure, with what is needed to decide whether it may be repeated.
struct StatementFailure: Error {
    /// What the caller is told if it is not repeated.
    let error: DatabaseError
    /// Whether the server may have executed it.
    let mayHaveExecuted: Bool
    /// Whether the connection has to be given up.
    let endsConnection: Bool
    /// Whether the same statement may succeed at once: on a new connection, or prepared anew.
    let isWorthRepeating: Bool

    /// The server or the client library failed to execute it.
    init(executing error: ServerError) {
        self.init(error, wasSent: error.code != ErrorCode.serverGone)
    }

    /// The server or the client library failed to prepare it.
    init(preparing error: ServerError) {
        self.init(error, wasSent: false)
    }

    /// A refusal of this module after the server had executed it; the connection is in order.
    init(_ error: DatabaseError) {
        self.error = error
        mayHaveExecuted = true
        endsConnection = false
        isWorthRepeating = false
    }

    private init(_ error: ServerError, wasSent: Bool) {
        self.error = error.statementError
        endsConnection = ErrorCode.endsConnection(error.code)
        // An answer that leaves the connection alone says that nothing was changed.
        mayHaveExecuted = wasSent && endsConnection
        isWorthRepeating =
            error.code != ErrorCode.packetTooLarge && (endsConnection || ErrorCode.isOutdated(error.code))
    }
}
