internal import CMariaDB

/// An error of the server or the client library, before anything was concluded from it.
struct ServerError: Error {
    /// Its number, words and SQLSTATE.
    let diagnostic: DatabaseError.Diagnostic

    /// The error's number.
    var code: UInt32 { diagnostic.code }

    /// The last error of a connection.
    init(of connection: UnsafeMutablePointer<MYSQL>) {
        diagnostic = unsafe DatabaseError.Diagnostic(
            code: mysql_errno(connection),
            sqlState: String(cString: mysql_sqlstate(connection)),
            quoting: String(cString: mysql_error(connection))
        )
    }

    /// The last error of a statement.
    init(of statement: UnsafeMutablePointer<MYSQL_STMT>) {
        diagnostic = unsafe DatabaseError.Diagnostic(
            code: mysql_stmt_errno(statement),
            sqlState: String(cString: mysql_stmt_sqlstate(statement)),
            quoting: String(cString: mysql_stmt_error(statement))
        )
    }

    /// An error found here, in the client library's manner.
    init(code: UInt32, message: String) {
        diagnostic = DatabaseError.Diagnostic(code: code, sqlState: "HY000", message: message)
    }

    /// What the error means for a statement that was answered with it.
    var statementError: DatabaseError {
        switch code {
        case ErrorCode.duplicateEntry: .duplicateKey(diagnostic)
        case ErrorCode.packetTooLarge: .refused(diagnostic)
        case let code where ErrorCode.endsConnection(code): .lost(diagnostic)
        default: .refused(diagnostic)
        }
    }
}
