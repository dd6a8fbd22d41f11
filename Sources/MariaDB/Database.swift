/// A database as one worker thread sees it: connected when first needed, and again after it was lost.
///
/// Not shared between threads. Statements are literals of the program, prepared once per connection; values
/// travel apart from them. What may be repeated after a broken connection is decided here and nowhere else:
/// a query, and anything that provably was not executed; never a change whose fate is unknown, and never a
/// statement inside a transaction or lock that ended with its connection.
public final class Database {
    private let configuration: DatabaseConfiguration
    private var connection: Connection?
    /// The character set to ask for in the next handshake.
    private var handshakeCharacterSet: String
    private var spareResult = ResultBuffer()
    private var outage = Outage()
    /// How it was used so far.
    public private(set) var use = DatabaseUse()
    /// Ends the waits of this database's thread.
    public let interruption = Interruption()
    /// How many transactions and locks are open; the connection is not replaced while one is.
    var pins = 0
    /// Whether one of them is a transaction.
    var isInTransaction = false

    /// Remembers where the database is; connects at the first statement.
    public init(_ configuration: DatabaseConfiguration) {
        self.configuration = configuration
        handshakeCharacterSet = configuration.characterSet ?? "utf8mb4"
    }

    /// Executes a statement that changes nothing and lends each row of its result to `body`.
    ///
    /// All rows have arrived before the first is lent, so `body` may use this database.
    /// - Throws: `.unavailable`, `.refused`, `.resultTooLarge`; `.lost` only if a second connection broke too,
    ///   or inside a transaction or lock.
    public func query(
        _ sql: StaticString,
        _ parameters: [SQLValue] = [],
        _ body: (borrowing Row) -> Void
    ) throws(DatabaseError) {
        var result = takeSpareResult()
        _ = try run(repeatable: true) { connection throws(StatementFailure) in
            try connection.execute(sql, parameters, into: &result)
        }
        result.forEachRow(body)
        spareResult = result
    }

    /// Executes a statement that changes nothing and copies its whole result; `nil` is NULL.
    ///
    /// - Throws: as `query`.
    public func rows(
        _ sql: StaticString,
        _ parameters: [SQLValue] = []
    ) throws(DatabaseError) -> [[[UInt8]?]] {
        var rows: [[[UInt8]?]] = []
        try query(sql, parameters) { row in
            var values: [[UInt8]?] = []
            for index in 0..<row.count { values.append(row.bytes(index)) }
            rows.append(values)
        }
        return rows
    }

    /// Executes a statement that changes something, and lends each row that it returns (`RETURNING`) to `body`.
    ///
    /// - Throws: `.unavailable` (not executed), `.duplicateKey`, `.refused`; `.lost` if the connection broke
    ///   after it was sent, so that it may or may not have been executed.
    @discardableResult
    public func execute(
        _ sql: StaticString,
        _ parameters: [SQLValue] = [],
        returning body: (borrowing Row) -> Void = { _ in }
    ) throws(DatabaseError) -> Execution {
        var result = takeSpareResult()
        let execution = try run(repeatable: false) { connection throws(StatementFailure) in
            try connection.execute(sql, parameters, into: &result)
        }
        result.forEachRow(body)
        spareResult = result
        return execution
    }

    /// Executes one statement that is not a literal, such as a step of a migration; never one with a client's values.
    ///
    /// - Parameter eachRow: gets each row of each result as it arrives, while the server is still at work; it must not
    ///   use this database.
    /// - Throws: as `execute`; rows may have arrived before.
    @discardableResult
    public func execute(
        unprepared sql: String,
        _ eachRow: ([[UInt8]?]) -> Void = { _ in }
    ) throws(DatabaseError) -> Execution {
        try run(repeatable: false) { connection throws(StatementFailure) in
            try connection.execute(text: sql, eachRow)
        }
    }

    /// Closes the connection; the next statement opens a new one.
    public func disconnect() {
        precondition(pins == 0, "disconnected inside a transaction or lock")
        connection = nil
    }

    /// Closes the connection even inside a transaction or lock, whose statements then fail.
    func dropConnection() {
        connection = nil
    }

    /// The result buffer, leaving an empty one for whoever uses this database meanwhile.
    private func takeSpareResult() -> ResultBuffer {
        var result = ResultBuffer()
        swap(&result, &spareResult)
        return result
    }
}

// MARK: - Connecting and repeating

extension Database {
    /// Runs a statement on a living connection, and once more if that is allowed and useful.
    func run(
        repeatable: Bool,
        _ statement: (inout Connection) throws(StatementFailure) -> Execution
    ) throws(DatabaseError) -> Execution {
        let start = ContinuousClock.now
        defer { use.time += ContinuousClock.now - start }
        try connect(probing: !repeatable)
        do {
            return try attempt(statement)
        } catch {
            let isAllowed = (repeatable || !error.mayHaveExecuted) && !interruption.isInterrupted
            let isPinned = pins > 0 && error.endsConnection
            guard error.isWorthRepeating, isAllowed, !isPinned else { throw error.error }
        }
        try connect(probing: false)
        do {
            return try attempt(statement)
        } catch {
            throw error.error
        }
    }

    /// Runs a statement once, and gives up the connection if the outcome says so.
    private func attempt(
        _ statement: (inout Connection) throws(StatementFailure) -> Execution
    ) throws(StatementFailure) -> Execution {
        guard let socket = connection?.socket else { preconditionFailure("not connected") }
        interruption.begin(socket)
        do throws(StatementFailure) {
            guard !interruption.isInterrupted else { throw StatementFailure(.unavailable(.interrupted)) }
            let execution = try statement(&connection!)
            interruption.end()
            return execution
        } catch {
            // Before the socket is closed, whose number may then be another's.
            interruption.end()
            if error.endsConnection {
                connection = nil
                use.lostConnections += 1
            } else if pins > 0 && interruption.isInterrupted {
                // Its transaction or lock could not be ended by a statement, and would take in what comes later.
                connection = nil
            }
            throw error
        }
    }

    /// Makes sure that there is a connection, waiting out a short absence of the server.
    ///
    /// - Parameter probing: look whether the server has hung up, because the statement could not be repeated.
    private func connect(probing: Bool) throws(DatabaseError) {
        guard pins == 0 else {
            guard connection != nil else { throw .lost(.brokeInTransaction) }
            return
        }
        if let isOver = connection?.isOver(probing: probing, maximumIdleTime: configuration.maximumIdleTime), isOver {
            connection = nil
        }
        while connection == nil {
            outage.pause()
            guard !interruption.isInterrupted else { throw .unavailable(.interrupted) }
            do {
                connection = try Connection(configuration, characterSet: &handshakeCharacterSet)
                use.connects += 1
                outage.ended()
            } catch {
                use.failedConnects += 1
                let isPassing = ErrorCode.isOutage(error.code)
                guard outage.refused(at: .now, patience: configuration.outagePatience), isPassing else {
                    throw .unavailable(error.diagnostic)
                }
            }
        }
    }
}

extension DatabaseError.Diagnostic {
    /// A statement came too late: its transaction or lock is gone.
    static let brokeInTransaction = Self(
        code: 2013,
        sqlState: "HY000",
        message: "The connection was lost earlier in this transaction or lock"
    )
}
