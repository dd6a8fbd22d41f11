import Testing

@testable import IReporter

@Suite struct LogTests {
    @Test(arguments: [
        ("bob", "bob"), ("Zo\u{eb} \u{1F600}", "Zo\u{eb} \u{1F600}"), ("a\\x0ab", "a\\x0ab"),
        ("a\r\nireporter: forged", "a\\x0d\\x0aireporter: forged"), ("\0\t\u{1f}\u{7f}", "\\x00\\x09\\x1f\\x7f"),
        ("\u{1b}[2J", "\\x1b[2J"),
        // The same in one character; and a next line, for readers that know of it.
        ("\u{9b}2J\u{85}", "\\u{9b}2J\\u{85}"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("\u{202e}txt.exe\u{2066}\u{200b}", "\\u{202e}txt.exe\\u{2066}\\u{200b}"),
    ])
    func nothingIsLeftThatATerminalWouldObey(text: String, logged: String) {
        #expect(Log.escaped(text) == logged)
    }
}
