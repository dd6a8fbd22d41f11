import MariaDB
import TestSupport
import Testing

@testable import IReporter

@Suite struct FoldedNameTests {
    private func folded(_ name: String) -> String {
        String(decoding: FoldedName(Array(name.utf8)).bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("Bob", "bob"), ("bob  ", "bob"), (" bob", " bob"), ("b o b", "b o b"), ("", ""), ("   ", ""), ("@[`{", "@[`{"),
        ("Élodie", "elodie"), ("e\u{301}lodie", "elodie"), ("STRAßE", "strase"), ("Strasse", "strase"),
        ("ÅNGSTRÖM", "angstrom"),
        ("b\u{AD}ob\u{1}", "bob"), ("ⓑob", "bob"), ("ｂｏｂ", "bob"), ("ﬁn", "fin"), ("İI", "ii"), ("ıi", "ii"),
        ("a😀 ", "a\u{FFFD}"), ("a😁", "a\u{FFFD}"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("σίσυφος", "σισυφοσ"), ("Æsir", "aesir"),
        ("œuf", "oeuf"),
        ("カタカナ", "かたかな"), ("ガッキョ", "かつきよ"),
        ("ヵヶ", "かけ"), ("бобЁ", "бобе"), ("名前", "名前"),
    ])
    func nameIsFolded(name: String, form: String) {
        #expect(folded(name) == form)
        #expect(folded(form) == form, "folded once is folded for good")
    }

    @Test func brokenTextIsFoldedToo() {
        #expect(FoldedName([0x41, 0xFF, 0x42]) == FoldedName(Array("a\u{FFFD}b".utf8)))
    }

    // Putting a run of marks in order takes some libraries time with the square of its length.
    @Test func longNamesAreFoldedInNoTime() {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 500_000)
        #expect(folded(marks).unicodeScalars.first == "a")
        #expect(folded(String(repeating: "é", count: 1_000_000)).count <= 1024)
    }

    // What the server takes for the same and this did not would be a way around the limit.
    @Test(arguments: ["utf8mb4_general_ci", "utf8mb4_unicode_ci"])
    func spellingsOfLatinLettersThatTheServerEquatesShareAForm(collation: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(.current)
        let database = SessionTableFixture.connect(server, name)
        try server.run(
            """
            CREATE TABLE letters (letter varchar(4) COLLATE \(collation));
            INSERT INTO letters SELECT CHAR(seq USING utf32) FROM seq_33_to_7423 WHERE seq NOT BETWEEN 127 AND 160;
            INSERT INTO letters SELECT CHAR(seq USING utf32) FROM seq_7680_to_7935;
            INSERT INTO letters VALUES ('ss'), ('ae'), ('oe'), ('fi');
            INSERT INTO letters SELECT CHAR(seq USING utf32) FROM seq_12353_to_12438;
            INSERT INTO letters SELECT CHAR(seq USING utf32) FROM seq_12449_to_12534;
            """,
            database: name
        )
        let pairs = try database.rows(
            """
            SELECT CONVERT(a.letter USING utf8mb4), CONVERT(b.letter USING utf8mb4) FROM letters a JOIN letters b \
            ON a.letter = b.letter WHERE a.letter IN ('ss', 'ae', 'oe', 'fi') OR \
            a.letter BETWEEN 'a' AND 'z' AND LENGTH(a.letter) = 1 OR a.letter = 'σ' OR \
            a.letter BETWEEN 'ぁ' AND 'ん'
            """
        )
        #expect(pairs.count > 300)
        let missed = pairs.map { $0.map { String(decoding: $0 ?? [], as: UTF8.self) } }
            .filter { folded($0[0]) != folded($0[1]) }
        #expect(missed == [])
    }
}
