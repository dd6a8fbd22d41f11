extension ContractSuite {
    /// JSON as `json_encode` writes it by default.
    static let escapeCases: [ContractCase] =
        escapes.map { label, bytes, written in
            ContractCase(
                "json/\(label)",
                [
                    Step(
                        .register("\(name: "a")\(Template.decodedTwice(Template(bytes: bytes)))z", "secret"),
                        .account("bob", "\(name: "a")\(written)z")
                    )
                ]
            )
        } + [
            ContractCase(
                "json/every-escape-in-a-title",
                [
                    .registerBob,
                    .upload("\(name: "t")%22%5C%2F%08%0C%0A%0D%09%01%1F%7F%3C%3E%26%27"),
                    .find("\(name: "t")\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}<>&'"),
                ]
            ),
            ContractCase(
                "json/markup-is-not-escaped",
                [
                    .registerBob, .upload("\(name: "t")<script>alert('1')</script>"),
                    .find("\(name: "t")<script>alert('1')<\\/script>"),
                ]
            ),
        ]

    private static let escapes: [(String, [UInt8], String)] = [
        ("quote", [0x22], "\\\""), ("backslash", [0x5c], "\\\\"), ("slash", [0x2f], "\\/"),
        ("apostrophe", [0x27], "'"), ("backspace", [0x08], "\\b"), ("form-feed", [0x0c], "\\f"),
        ("line-feed", [0x0a], "\\n"), ("carriage-return", [0x0d], "\\r"), ("tab", [0x09], "\\t"),
        ("nul", [0x00], "\\u0000"), ("vertical-tab", [0x0b], "\\u000b"), ("escape", [0x1b], "\\u001b"),
        ("unit-separator", [0x1f], "\\u001f"), ("del", [0x7f], "\u{7f}"), ("markup", [0x3c, 0x3e, 0x26], "<>&"),
        ("braces", Array("{}[]:,".utf8), "{}[]:,"),
    ]
}
