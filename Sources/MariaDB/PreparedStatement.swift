internal import CMariaDB

/// A statement the server has parsed for one connection, with the memory its values travel through.
///
/// It must not be used after its connection was closed, except to be released.
@safe final class PreparedStatement {
    private let raw: UnsafeMutablePointer<MYSQL_STMT>
    private var parameters: ParameterBuffers
    private var columns: ColumnBuffers

    /// Prepares `sql` on a connection; costs one round trip and executes nothing.
    init(_ sql: StaticString, on connection: UnsafeMutablePointer<MYSQL>) throws(ServerError) {
        guard let raw = unsafe mysql_stmt_init(connection) else { throw unsafe ServerError(of: connection) }
        let status = sql.withUTF8Buffer { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe mysql_stmt_prepare(raw, text.baseAddress, CUnsignedLong(text.count))
            }
        }
        guard status == 0 else {
            let error = unsafe ServerError(of: raw)
            unsafe mysql_stmt_close(raw)
            throw error
        }
        unsafe self.raw = raw
        unsafe parameters = ParameterBuffers(count: Int(mysql_stmt_param_count(raw)))
        unsafe columns = ColumnBuffers(of: raw)
    }

    deinit {
        unsafe mysql_stmt_close(raw)
    }

    /// Executes the statement and copies all rows of its result, if it has one.
    ///
    /// - Throws: `.server` for the server's refusal or a broken connection, `.resultTooLarge` if the result is too large.
    func execute(_ values: [SQLValue], into result: inout ResultBuffer) throws(ExecutionError) -> Execution {
        guard unsafe parameters.fill(values, for: raw), unsafe mysql_stmt_execute(raw) == 0 else {
            throw .server(unsafe ServerError(of: raw))
        }
        // The columns of RETURNING are announced with the first result only.
        if unsafe mysql_stmt_field_count(raw) != columns.count { unsafe columns = ColumnBuffers(of: raw) }
        result.reset(columnCount: columns.count)
        if columns.count > 0 {
            do {
                try unsafe Self.fetchAll(from: raw, through: &columns, into: &result)
            } catch {
                // Reads what the server still has to say, so that the connection stays in step.
                unsafe mysql_stmt_free_result(raw)
                throw error
            }
            unsafe mysql_stmt_free_result(raw)
        }
        return unsafe Execution(
            insertID: mysql_stmt_insert_id(raw),
            affectedRows: mysql_stmt_affected_rows(raw),
            warningCount: raw.pointee.upsert_status.warning_count
        )
    }

    /// Fetches row after row from the connection.
    ///
    /// It borrows the columns for the whole result, since each access to a property of a class is checked.
    private static func fetchAll(
        from raw: UnsafeMutablePointer<MYSQL_STMT>,
        through columns: inout ColumnBuffers,
        into result: inout ResultBuffer
    ) throws(ExecutionError) {
        while true {
            guard unsafe columns.bind(to: raw) else { throw .server(unsafe ServerError(of: raw)) }
            switch unsafe mysql_stmt_fetch(raw) {
            case 0, MYSQL_DATA_TRUNCATED:
                guard unsafe columns.copyRow(of: raw, into: &result) else { throw .resultTooLarge }
            case MYSQL_NO_DATA:
                return
            default:
                throw .server(unsafe ServerError(of: raw))
            }
        }
    }
}

/// Why an execution failed.
enum ExecutionError: Error {
    /// The server or the client library said no.
    case server(ServerError)
    /// A value or the whole result exceeds this module's limits.
    case resultTooLarge
}
