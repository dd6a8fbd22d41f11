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
        let code = unsafe mysql_stmt_errno(statement)
        // The library leaves an error among the rows of a result with the connection.
        if code == 0, let connection = unsafe statement.pointee.mysql {
            unsafe self.init(of: connection)
        } else {
            self.init(
                diagnostic: unsafe DatabaseError.Diagnostic(
                    code: code,
                    sqlState: String(cString: mysql_stmt_sqlstate(statement)),
                    quoting: String(cString: mysql_stmt_error(statement))
                )
            )
        }
    }

    private init(diagnostic: DatabaseError.Diagnostic) {
        self.diagnostic = diagnostic
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
