import Testing

@testable import MariaDB

@Suite("Errors")
struct ErrorTests {
    @Test(
        "messages for the log quote no value of the statement",
        arguments: [
            (1062, "Duplicate entry 'it's 'for key' me' for key 'username'", "Duplicate entry '…' for key 'username'"),
            (
                1366, "Incorrect string value: '\\xF0\\x9F' for column `t`.`login`.`pass` at row 1",
                "Incorrect string value: '…' for column `t`.`login`.`pass` at row 1"
            ),
            (1292, "Truncated incorrect DOUBLE value: 'secret'", "Truncated incorrect DOUBLE value: '…'"),
            (1300, "Invalid utf8mb4 character string: '\\xFFsecr'", "Invalid utf8mb4 character string: '…'"),
            (
                1977, "Cannot convert 'utf8mb4' character 0xE282AC to 'latin1'", "Cannot convert '…'"
            ),
            (1062, "Duplicate entry '", "Duplicate entry '…'"),
            (1406, "Data too long for column 'pass' at row 1", "Data too long for column 'pass' at row 1"),
            (1045, "Access denied for user 'a'@'b'", "Access denied for user 'a'@'b'"),
            (1062, "", ""),
        ] as [(UInt32, String, String)]
    )
    func messages(code: UInt32, message: String, expected: String) {
        let diagnostic = DatabaseError.Diagnostic(code: code, sqlState: "HY000", quoting: message)
        #expect(diagnostic.message == expected)
    }

    /// What may be concluded from the failure of a statement that was handed to the client library.
    struct Conclusion: Sendable, CustomTestStringConvertible {
        let code: UInt32
        let mayHaveExecuted: Bool
        let endsConnection: Bool
        let isWorthRepeating: Bool

        var testDescription: String { "\(code)" }

        static let all: [Self] = [
            // Could not be sent in full.
            Self(code: 2006, mayHaveExecuted: false, endsConnection: true, isWorthRepeating: true),
            // Sent, but the answer did not come; killed; the server shuts down.
            Self(code: 2013, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            Self(code: 2026, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            Self(code: 2055, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            Self(code: 1927, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            Self(code: 1053, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            Self(code: 4031, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: true),
            // Refused for its size; the next attempt would be no smaller.
            Self(code: 1153, mayHaveExecuted: true, endsConnection: true, isWorthRepeating: false),
            // Refused as it is; the connection goes on.
            Self(code: 1062, mayHaveExecuted: false, endsConnection: false, isWorthRepeating: false),
            Self(code: 1205, mayHaveExecuted: false, endsConnection: false, isWorthRepeating: false),
            Self(code: 1406, mayHaveExecuted: false, endsConnection: false, isWorthRepeating: false),
        ]
    }

    @Test("decide what may be repeated", arguments: Conclusion.all)
    func conclusions(expected: Conclusion) {
        let failure = StatementFailure(executing: ServerError(code: expected.code, message: ""))
        #expect(failure.mayHaveExecuted == expected.mayHaveExecuted)
        #expect(failure.endsConnection == expected.endsConnection)
        #expect(failure.isWorthRepeating == expected.isWorthRepeating)
    }

    @Test("of a statement the server no longer knows lead to preparing it again", arguments: [1243, 1615] as [UInt32])
    func outdated(code: UInt32) {
        let failure = StatementFailure(executing: ServerError(code: code, message: ""))
        #expect(!failure.mayHaveExecuted)
        #expect(!failure.endsConnection)
        #expect(failure.isWorthRepeating)
    }

    @Test("of a statement that was only prepared never mean that it was executed")
    func preparing() {
        let failure = StatementFailure(preparing: ServerError(code: 2013, message: ""))
        #expect(!failure.mayHaveExecuted)
        #expect(failure.isWorthRepeating)
    }

    @Test("an outage is waited out for as long as it is young, counted from its first refusal")
    func outage() {
        var outage = Outage()
        let start = ContinuousClock.now
        let isYoung = [0, 2, 3, 60].map { outage.refused(at: start + .seconds($0), patience: .seconds(3)) }
        #expect(isYoung == [true, true, false, false])
        outage.ended()
        let isYoungAgain = [61, 62].map { outage.refused(at: start + .seconds($0), patience: .seconds(1)) }
        #expect(isYoungAgain == [true, false])
        outage.ended()
        let isYoungWithoutPatience = outage.refused(at: start, patience: .zero)
        #expect(!isYoungWithoutPatience)
    }
}
