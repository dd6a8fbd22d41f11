import Testing

@testable import IReporter

/// Dividing SQL text as the `mariadb` client does.
@Suite struct SQLScriptTests {
    @Test(
        arguments: [
            ("", []),
            (" \n -- only a comment\n;\n", []),
            ("SELECT 1", ["SELECT 1"]),
            ("SELECT 1; SELECT 2;\n", ["SELECT 1", "SELECT 2"]),
            ("SELECT ';', \"a;b\", `c;d`;E", ["SELECT ';', \"a;b\", `c;d`", "E"]),
            (#"SELECT 'it''s;', 'a\';b', '\\';E"#, [#"SELECT 'it''s;', 'a\';b', '\\'"#, "E"]),
            (#"SELECT `\`;E"#, [#"SELECT `\`"#, "E"]),
            ("SELECT 1 -- one; two\n+ 1;E", ["SELECT 1 \n+ 1", "E"]),
            ("SELECT 5--3;E", ["SELECT 5--3", "E"]),
            ("SELECT 1 # it's; that\n;E", ["SELECT 1", "E"]),
            ("SELECT /* it's; that */ 1;E", ["SELECT   1", "E"]),
            ("SELECT '-- no; comment', '/*', '#';E", ["SELECT '-- no; comment', '/*', '#'", "E"]),
            ("DELIMITER //\nBEGIN a; b; END//\nDELIMITER ;\nc;", ["BEGIN a; b; END", "c"]),
            ("delimiter $$ \r\na; b$$\n", ["a; b"]),
            ("SELECT '\nDELIMITER //\n';E", ["SELECT '\nDELIMITER //\n'", "E"]),
            ("SELECT delimiter\n;E", ["SELECT delimiter", "E"]),
            ("SELECT 'never closed; ", ["SELECT 'never closed;"]),
        ] as [(String, [String])]
    )
    func statements(text: String, expected: [String]) {
        let trimmed = SQLScript(text).statements.map { String(trimming: $0) }
        #expect(trimmed == expected)
    }

    @Test func fileHasNumberTitleAndDetails() throws {
        let text = "-- 007: a title\n--\n-- Does:  this\n--        and that\n-- Locks: nothing\n--\n-- More.\n\nDO 1;\n"
        let file = try #require(UpgradeFile(name: "007-some-thing.sql", content: text.utf8))
        #expect(file.number == 7)
        #expect(file.name == "007-some-thing.sql")
        #expect(file.title == "a title")
        #expect(file.details == ["Does:  this", "       and that", "Locks: nothing"])
        #expect(file.statements.map { String(trimming: $0) } == ["DO 1"])
    }

    @Test(arguments: ["001.sql", "one-two.sql", "001-thing.txt", "-1.sql", "UpgradeFiles.swift"])
    func nameWithoutNumberIsNone(name: String) {
        #expect(UpgradeFile(name: name, content: []) == nil)
    }

    @Test func namesCannotControlTheTerminal() {
        #expect(printable("a\u{1B}[2J\u{9B}\n\u{202E}\u{e9}😀") == "a\\u{1b}[2J\\u{9b}\\u{a}\\u{202e}\u{e9}😀")
    }
}

extension String {
    fileprivate init(trimming text: String) {
        var rest = text[...]
        while rest.first?.isWhitespace ?? false { rest.removeFirst() }
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        self.init(rest)
    }
}
