import MariaDB
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
    let server: MariaDBServer
    let database: Database

    init() throws {
        var options = MariaDBServer.Options()
        options.more = ["--max-allowed-packet=64M"]
        server = try MariaDBServer.shared(options)
        database = Database(server.configuration(try server.makeDatabase(.empty)))
    }

    /// Bytes with a name, since a million of them make no readable test report.
    struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        static let all: [Self] = [
            Self(testDescription: "empty", bytes: []),
            Self(testDescription: "NUL", bytes: [0]),
            Self(testDescription: "ASCII", bytes: Array("plain".utf8)),
            Self(testDescription: "SQL's own characters", bytes: Array("it's \"quoted\" \\ % _ ; -- ? /*".utf8)),
            Self(testDescription: "control characters", bytes: Array("\0\r\n\u{1a}".utf8)),
            Self(testDescription: "every byte", bytes: Array(0...255)),
            Self(testDescription: "as long as the first buffer", bytes: Array(repeating: 7, count: 1024)),
            Self(testDescription: "one byte longer", bytes: Array(repeating: 7, count: 1025)),
            Self(testDescription: "more than 16 bits of length", bytes: Array(repeating: 9, count: 70_000)),
            Self(testDescription: "more than one packet buffer", bytes: Array(repeating: 9, count: 1_000_000)),
        ]
    }

    @Test("come back as they were sent", arguments: Sample.all)
    func roundTrip(sample: Sample) throws {
        let bytes = sample.bytes
        try database.execute("CREATE TABLE v (t longtext CHARACTER SET latin1, b longblob)")
        try database.execute("INSERT INTO v VALUES (?, ?)", [.text(bytes), .binary(bytes)])
        #expect(try database.rows("SELECT t, b FROM v") == [[bytes, bytes]])
        #expect(try database.rows("SELECT ?", [.binary(bytes)]) == [[bytes]])
    }

    @Test("NULL is told from the empty string, in either direction")
    func null() throws {
        try database.execute("CREATE TABLE v (id int, t varchar(9))")
        try database.execute("INSERT INTO v VALUES (1, ?), (2, ?)", [.null, .text("")])
        #expect(try database.rows("SELECT t FROM v ORDER BY id") == [[nil], [[]]])
        var isNull: [Bool] = []
        try database.query("SELECT t FROM v ORDER BY id") { row in
            isNull.append(row.isNull(0))
            row.withBytes(0) { bytes in #expect((bytes == nil) == row.isNull(0)) }
        }
        #expect(isNull == [true, false])
    }

    @Test("one parameter may change its type from one execution to the next")
    func changingTypes() throws {
        let values: [(SQLValue, String?)] = [
            (.null, nil), (.text("a"), "a"), (.integer(-7), "-7"), (.null, nil), (.binary([98]), "b"),
            (.integer(.max), "9223372036854775807"),
            (.text(String(repeating: "c", count: 500)), String(repeating: "c", count: 500)),
            (.text(""), ""), (.integer(.min), "-9223372036854775808"),
        ]
        for (value, expected) in values {
            #expect(try database.value("SELECT ?", [value]) == expected)
        }
    }

    @Test("rows of very different length in one result")
    func differentLengths() throws {
        try database.execute("CREATE TABLE v (id int, t longtext)")
        let lengths = [3, 5000, 0, 1023, 1024, 20_000, 2, 200_000, 1]
        for (index, length) in lengths.enumerated() {
            let text = String(repeating: "x", count: length)
            try database.execute("INSERT INTO v VALUES (?, ?)", [.integer(Int64(index)), .text(text)])
        }
        var found: [Int] = []
        try database.query("SELECT t, t FROM v ORDER BY id") { row in
            #expect(row.bytes(0) == row.bytes(1))
            row.withBytes(0) { found.append($0?.count ?? -1) }
        }
        #expect(found == lengths)
    }

    @Test("NULL, empty, short and long columns side by side")
    func mixedColumns() throws {
        try database.execute("CREATE TABLE v (id int, a longtext, b longtext, c longtext, d longtext)")
        let values: [String?] = [nil, "", "x", String(repeating: "y", count: 3000)]
        var expected: [[String?]] = []
        for number in 0..<64 {
            // Each value in each place, the long one first growing every buffer.
            let row = [number, number / 4, number / 16, number + 1].map { values[3 - $0 % 4] }
            try database.execute(
                "INSERT INTO v VALUES (?, ?, ?, ?, ?)",
                [.integer(Int64(number))] + row.map { text in text.map { .text($0) } ?? .null }
            )
            expected.append(row)
        }
        #expect(try database.texts("SELECT a, b, c, d FROM v ORDER BY id") == expected)
    }

    @Test("every type of column is a string")
    func types() throws {
        try database.execute(
            unprepared: """
                CREATE TABLE v (a tinyint, b bigint unsigned, c double, d decimal(10,2), e datetime, f date,
                    g int(8) ZEROFILL, h enum('x','y'), i bit(8), j char(5), k year, l time)
                """
        )
        try database.execute(
            unprepared: """
                INSERT INTO v VALUES (-1, 18446744073709551615, 1.5, 3.10, '2014-05-06 07:08:09', '2014-05-06', 42,
                    'y', b'01000001', 'q', 2014, '-12:00:01')
                """
        )
        #expect(
            try database.texts("SELECT * FROM v") == [
                [
                    "-1", "18446744073709551615", "1.5", "3.10", "2014-05-06 07:08:09", "2014-05-06", "00000042", "y",
                    "A", "q", "2014", "-12:00:01",
                ]
            ]
        )
    }

    @Test("integers are read from any column that holds one")
    func integers() throws {
        var found: [Int64?] = []
        try database.query("SELECT 12, '-3', 9223372036854775807, 9223372036854775808, NULL, '', 'x', '1 '") { row in
            for index in 0..<row.count { found.append(row.integer(index)) }
        }
        #expect(found == [12, -3, .max, nil, nil, nil, nil, nil])
    }

    @Test("ids above 32 bits")
    func bigIDs() throws {
        try database.execute(
            "CREATE TABLE v (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, n int) AUTO_INCREMENT = 9999999999"
        )
        #expect(try database.execute("INSERT INTO v (n) VALUES (1)").insertID == 9_999_999_999)
        #expect(try database.execute("INSERT INTO v (id) VALUES (18446744073709551614)").insertID == .max - 1)
        #expect(try database.texts("SELECT id FROM v ORDER BY id") == [["9999999999"], ["18446744073709551614"]])
    }

    @Test("a value beyond the limit is refused, and the connection stays in step")
    func tooLarge() throws {
        let identifier = try database.value("SELECT CONNECTION_ID()")
        let error = error { () throws(DatabaseError) in _ = try database.rows("SELECT 1, REPEAT('x', 16777217)") }
        #expect(error == .resultTooLarge)
        #expect(
            try database.rows("SELECT LENGTH(?)", [.binary(Array(repeating: 1, count: 16_777_216))]) == [
                [Array("16777216".utf8)]
            ]
        )
        #expect(try database.rows("SELECT REPEAT('x', 16777216)")[0][0]?.count == 16_777_216)
        #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
    }

    @Test("a result beyond the limit is refused, and the connection stays in step")
    func resultTooLarge() throws {
        let identifier = try database.value("SELECT CONNECTION_ID()")
        let error = error { () throws(DatabaseError) in
            _ = try database.rows("SELECT REPEAT('x', 1000000) FROM information_schema.COLLATIONS LIMIT 100")
        }
        #expect(error == .resultTooLarge)
        #expect(try database.value("SELECT CONNECTION_ID()") == identifier)
    }

    @Test("queries inside the rows of another query")
    func nested() throws {
        try database.execute("CREATE TABLE v (n int)")
        try database.execute("INSERT INTO v VALUES (1), (2), (3)")
        var found: [String?] = []
        try database.query("SELECT n FROM v ORDER BY n") { row in
            let next = try? database.value("SELECT n * 10 FROM v WHERE n = ?", [.text(row.bytes(0) ?? [])])
            found.append(next ?? nil)
        }
        #expect(found == ["10", "20", "30"])
    }
}
