/// Error numbers that decide whether a statement may be repeated (MariaDB's `errmsg.h` and `mysqld_error.h`).
enum ErrorCode {
    /// Unique key violation.
    static let duplicateEntry: UInt32 = 1062
    /// The packet is larger than the server's `max_allowed_packet`; it hangs up afterwards.
    static let packetTooLarge: UInt32 = 1153
    /// The client library could not send all of a command, so the server executed nothing.
    static let serverGone: UInt32 = 2006

    /// Whether the server executed nothing because its copy of the prepared statement is gone or out of date.
    static func isOutdated(_ code: UInt32) -> Bool {
        // Unknown statement; a table changed under it, and the server gave up preparing it again.
        code == 1243 || code == 1615
    }

    /// Whether the connection cannot be used again after this answer to a statement.
    static func endsConnection(_ code: UInt32) -> Bool {
        switch code {
        // Shutdown in progress; connection aborted, broken packets and network errors; killed; idle too long (MySQL).
        case 1053, 1152...1161, 1184, 1927, 4031: true
        // Anything the client library itself complains about.
        case 2000...2999, 5000...5999: true
        default: false
        }
    }

    /// Whether a refused connection attempt may succeed a moment later.
    static func isOutage(_ code: UInt32) -> Bool {
        switch code {
        // Too many connections; shutdown in progress; killed.
        case 1040, 1053, 1152...1161, 1203, 1927: true
        // Nobody listens, the host does not answer or has no address yet, or it hung up in the handshake.
        case 2001...2006, 2012, 2013, 2055: true
        default: false
        }
    }
}
