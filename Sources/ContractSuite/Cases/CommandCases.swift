extension ContractSuite {
    /// The field `command`: exact, case-sensitive, and a string.
    static let commandCases: [ContractCase] =
        [
            ("unknown", "nonsense"), ("empty", ""), ("upper-case", "STREAM"), ("capital", "Stream"),
            ("space-after", "stream "), ("space-before", " stream"), ("nul-after", "stream\u{0}"),
            ("line-end-after", "stream\n"), ("number", "0"),
            // Unlike username, password and title, it is not decoded a second time.
            ("encoded-twice", "%73tream"),
        ].map { label, value in
            ContractCase("command/\(label)", [Step(.form(["command": "\(value)"]), .empty)])
        } + [
            ContractCase("command/missing", [Step(.form(["username": "x"]), .empty)]),
            ContractCase("command/in-another-case", [Step(.form(["Command": "stream"]), .empty)]),
            ContractCase("command/array", [Step(.form(["command[]": "stream"]), .empty)]),
            ContractCase("command/nested-array", [Step(.form(["command[a][b]": "stream"]), .empty)]),
            ContractCase("command/array-in-multipart", [Step(.parts(.field("command[]", "stream")), .empty)]),
            ContractCase(
                "command/unknown-in-multipart",
                [Step(.parts(.field("command", "nonsense")), .empty)]
            ),
            ContractCase(
                "command/as-a-file",
                [Step(.parts(.file("command", Array("stream".utf8), filename: "command.txt")), .empty)]
            ),
            ContractCase(
                "command/empty-reply-for-the-logged-in",
                [.registerBob, Step(.form(["command": "nonsense"]), .empty), .seesLogin]
            ),
        ]
}
