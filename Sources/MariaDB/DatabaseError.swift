/// What went wrong between us and the database, sorted by what it means for the caller's statement.
public enum DatabaseError: Error, Equatable {
    /// No connection could be made: the statement was not executed.
    case unavailable(Diagnostic)
    /// The connection broke after the statement was sent: nobody knows whether it was executed.
    case lost(Diagnostic)
    /// A unique key already holds the value: nothing was changed.
    case duplicateKey(Diagnostic)
    /// The server answered with an error: nothing was changed, the connection goes on.
    case refused(Diagnostic)
    /// A value or the whole result is larger than this module keeps in memory.
    case resultTooLarge

    /// The server's or client library's own words, for the log only: they may quote names of tables.
    public struct Diagnostic: Sendable, Equatable {
        /// Error number of the server (1000…) or the client library (2000…); 0 if neither was asked.
        public let code: UInt32
        /// Five characters of SQLSTATE, `HY000` when there is nothing better.
        public let sqlState: String
        /// The message, without the values the statement carried.
        public let message: String

        /// A diagnostic with exactly these words.
        public init(code: UInt32, sqlState: String, message: String) {
            self.code = code
            self.sqlState = sqlState
            self.message = message
        }
    }

    /// The diagnostic, for the log.
    public var diagnostic: Diagnostic {
        switch self {
        case .unavailable(let diagnostic), .lost(let diagnostic), .duplicateKey(let diagnostic),
            .refused(let diagnostic):
            diagnostic
        case .resultTooLarge:
            Diagnostic(code: 0, sqlState: "54000", message: "The result exceeds the limit")
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// For the log and the administrator; the messages of server and library are in it as they are.
    public var description: String {
        switch self {
        case .unavailable(.interrupted): DatabaseError.Diagnostic.interrupted.message
        case .unavailable(let diagnostic): "the database does not answer: \(diagnostic)"
        case .lost(let diagnostic): "the connection to the database was lost: \(diagnostic)"
        case .duplicateKey(let diagnostic), .refused(let diagnostic): "\(diagnostic)"
        case .resultTooLarge: "the database's answer is too large"
        }
    }
}

extension DatabaseError.Diagnostic: CustomStringConvertible {
    /// The message and its number.
    public var description: String { code == 0 ? message : "\(message) (\(code))" }
}

extension DatabaseError.Diagnostic {
    /// A diagnostic whose message quotes no value of the statement, since that may be a password.
    init(code: UInt32, sqlState: String, quoting message: String) {
        self.init(code: code, sqlState: sqlState, message: Self.withoutValues(message, code: code))
    }

    /// Cuts the quoted value out of those messages that repeat one.
    private static func withoutValues(_ message: String, code: UInt32) -> String {
        // Duplicate entry 'x' for key …, Incorrect string value: 'x' for column …, Invalid character string: 'x', and
        // their like.
        guard [1062, 1292, 1300, 1366, 1411, 1586, 1977].contains(code), let start = message.firstIndex(of: "'") else {
            return message
        }
        let rest = message[start...]
        guard let end = rest.ranges(of: "' for ").last?.lowerBound, end > start else {
            return message[..<start] + "'…'"
        }
        return message[...start] + "…" + message[end...]
    }
}
