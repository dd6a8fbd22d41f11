/// SQL text of several statements, as the `mariadb` client reads it.
struct SQLScript {
    /// The statements in order, without their delimiters and without comments.
    let statements: [String]

    /// Divides text into statements.
    ///
    /// Understands what the client does of it: the line `DELIMITER //`, strings and names in quotes (with `\` and
    /// doubled quotes in them), and comments that begin with `-- ` or `#` or stand between `/*` and `*/`.
    init(_ text: String) {
        var splitter = Splitter(text)
        splitter.run()
        statements = splitter.statements
    }
}

/// Goes through a script byte by byte.
private struct Splitter {
    private(set) var statements: [String] = []
    private var rest: Substring.UTF8View
    private var statement: [UInt8] = []
    private var delimiter = Array(";".utf8)
    private var isAtLineStart = true

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func run() {
        while let byte = rest.first {
            if isAtLineStart, takeDelimiterLine() {
                continue
            }
            isAtLineStart = byte == UInt8(ascii: "\n")
            if rest.starts(with: delimiter) {
                rest.removeFirst(delimiter.count)
                finishStatement()
            } else if startsComment {
                skip(through: "\n")
                isAtLineStart = true
                statement.append(UInt8(ascii: "\n"))
            } else if rest.starts(with: "/*".utf8) {
                skip(through: "*/")
                statement.append(UInt8(ascii: " "))
            } else if [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`")].contains(byte) {
                takeQuoted(by: byte)
            } else {
                statement.append(rest.removeFirst())
            }
        }
        finishStatement()
    }

    /// `--` begins a comment only before white space: `5--3` is arithmetic.
    private var startsComment: Bool {
        rest.first == UInt8(ascii: "#")
            || rest.starts(with: "--".utf8) && (rest.dropFirst(2).first.map { $0 <= 0x20 } ?? true)
    }

    /// Takes a line that says what statements end with from here on.
    private mutating func takeDelimiterLine() -> Bool {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split { $0 == 0x20 || $0 == 9 || $0 == 13 }
        guard words.count == 2, String(Substring(words[0])).uppercased() == "DELIMITER" else {
            return false
        }
        delimiter = Array(words[1])
        rest.removeFirst(line.count)
        return true
    }

    private mutating func takeQuoted(by quote: UInt8) {
        statement.append(rest.removeFirst())
        while let byte = rest.popFirst() {
            statement.append(byte)
            // A doubled quote ends one string and begins the next, which comes to the same.
            if byte == quote {
                return
            }
            if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "`"), let escaped = rest.popFirst() {
                statement.append(escaped)
            }
        }
    }

    private mutating func skip(through end: String) {
        while !rest.isEmpty {
            if rest.starts(with: end.utf8) {
                rest.removeFirst(end.utf8.count)
                return
            }
            rest.removeFirst()
        }
    }

    private mutating func finishStatement() {
        let text = String(decoding: statement, as: UTF8.self)
        statement = []
        if text.contains(where: { !$0.isWhitespace }) {
            statements.append(text)
        }
    }
}
