internal import CMariaDB
internal import Glibc

/// One connection and the statements prepared on it; closing it forgets them.
@safe struct Connection: ~Copyable {
    private let raw: UnsafeMutablePointer<MYSQL>
    private let usesTCP: Bool
    /// By the address of the SQL literal: literals live as long as the program.
    private var statements: [UInt: PreparedStatement] = [:]
    private var lastUse = ContinuousClock.now

    /// Statements kept prepared per connection; beyond it all are prepared anew.
    private static let statementLimit = 256

    /// Connects, authenticates and settles the character set.
    ///
    /// - Parameter characterSet: the one to ask for in the handshake; replaced by the server's own if that differs
    ///   and the configuration names none.
    init(_ configuration: DatabaseConfiguration, characterSet: inout String) throws(ServerError) {
        var raw = try unsafe openConnection(configuration, characterSet: characterSet)
        if configuration.characterSet == nil, let announced = unsafe announcedCharacterSet(of: raw),
            announced != characterSet
        {
            // PHP's driver has it in the handshake, which lets the server's init_connect have the last word.
            unsafe mysql_close(raw)
            characterSet = announced
            unsafe raw = try openConnection(configuration, characterSet: announced)
        }
        // What is configured has the last word over an init_connect, and either has it over an option file.
        if configuration.characterSet != nil || configuration.optionFile != nil,
            unsafe mysql_set_character_set(raw, characterSet) != 0
        {
            let error = unsafe ServerError(of: raw)
            unsafe mysql_close(raw)
            throw error
        }
        unsafe self.raw = raw
        unsafe usesTCP = raw.pointee.unix_socket == nil
    }

    deinit {
        unsafe mysql_close(raw)
    }

    /// The descriptor of its socket.
    var socket: Int32 { unsafe mysql_get_socket(raw) }

    /// Whether the connection cannot be trusted with another statement.
    ///
    /// - Parameters:
    ///   - probing: ask the operating system whether the server has hung up.
    ///   - maximumIdleTime: a TCP connection unused for longer may have been forgotten by something between.
    func isOver(probing: Bool, maximumIdleTime: Duration) -> Bool {
        if usesTCP, ContinuousClock.now - lastUse > maximumIdleTime { return true }
        guard probing else { return false }
        // Between statements the server has nothing to say: anything readable is its farewell.
        var descriptor = unsafe pollfd(fd: mysql_get_socket(raw), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) != 0
    }

    /// Executes `sql`, preparing it first if this connection has not seen it yet.
    mutating func execute(
        _ sql: StaticString,
        _ values: [SQLValue],
        into result: inout ResultBuffer
    ) throws(StatementFailure) -> Execution {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        let statement: PreparedStatement
        if let known = statements[key] {
            statement = known
        } else {
            if statements.count >= Self.statementLimit { statements.removeAll() }
            do {
                statement = try unsafe PreparedStatement(sql, on: raw)
            } catch {
                throw StatementFailure(preparing: error)
            }
            statements[key] = statement
        }
        do {
            let execution = try statement.execute(values, into: &result)
            lastUse = .now
            return execution
        } catch {
            guard case .server(let error) = error else { throw StatementFailure(.resultTooLarge) }
            if ErrorCode.isOutdated(error.code) { statements[key] = nil }
            throw StatementFailure(executing: error)
        }
    }

    /// Executes SQL text without preparing it, for what cannot be prepared, and hands over each row of each result.
    ///
    /// Rows arrive while the server is still at work: a compound statement can tell what it is doing.
    mutating func execute(
        text sql: String,
        _ eachRow: ([[UInt8]?]) -> Void = { _ in }
    ) throws(StatementFailure) -> Execution {
        var sql = sql
        var status = sql.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe mysql_real_query(raw, text.baseAddress, CUnsignedLong(text.count))
            }
        }
        var execution: Execution?
        while status == 0 {
            if let result = unsafe mysql_use_result(raw) {
                while let row = unsafe Self.nextRow(of: result) { eachRow(row) }
                unsafe mysql_free_result(result)
            }
            guard unsafe mysql_errno(raw) == 0 else { break }
            execution = unsafe Execution(
                insertID: mysql_insert_id(raw),
                affectedRows: mysql_affected_rows(raw),
                warningCount: mysql_warning_count(raw)
            )
            guard unsafe mysql_more_results(raw) != 0 else { break }
            status = unsafe mysql_next_result(raw)
        }
        guard unsafe mysql_errno(raw) == 0, let execution else {
            throw StatementFailure(executing: unsafe ServerError(of: raw))
        }
        lastUse = .now
        return execution
    }

    /// A copy of a result's next row; `nil` is NULL among its columns, and the end of the result in place of them.
    private static func nextRow(of result: UnsafeMutablePointer<MYSQL_RES>) -> [[UInt8]?]? {
        guard let row = unsafe mysql_fetch_row(result), let lengths = unsafe mysql_fetch_lengths(result) else {
            return nil
        }
        return (0..<Int(unsafe mysql_num_fields(result))).map { index in
            unsafe row[index].map { value in
                unsafe Array(UnsafeRawBufferPointer(start: value, count: Int(lengths[index])))
            }
        }
    }
}
