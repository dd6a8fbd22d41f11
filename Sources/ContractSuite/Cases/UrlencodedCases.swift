extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let isList = ReplyRule.api(.photoListWithout("no photo has this text"))

    /// Urlencoded bodies, as PHP reads them.
    static let urlencodedCases: [ContractCase] =
        streams.map { label, body in ContractCase("form/\(label)", [Step(.raw("\(body)"), isList)]) }
        + nothings.map { label, body in ContractCase("form/\(label)", [Step(.raw("\(body)"), .empty)]) }
        + names.map { label, sent, stored in
            ContractCase(
                "form/\(label)",
                [
                    Step(
                        .raw("command=register&username=\(bob)\(sent)&password=secret"),
                        .account("bob", "\(bob)\(stored)")
                    )
                ]
            )
        } + [
            ContractCase("form/a-thousand-pairs", [Step(.raw("\(pairs(999))command=stream"), isList)]),
            ContractCase("form/beyond-a-thousand-pairs", [Step(.raw("\(pairs(1001))command=stream"), .empty)]),
            ContractCase(
                "form/value-of-8000-bytes",
                [
                    Step(
                        .raw("x=\(String(repeating: "y", count: 8000))&command=stream"),
                        isList
                    )
                ]
            ),
            ContractCase(
                "form/last-of-equal-names-wins",
                [
                    Step(
                        .raw("command=register&username=nobody&username=\(bob)&password=secret"),
                        .account("bob", bob)
                    )
                ]
            ),
            ContractCase(
                "form/array-after-the-name-wins",
                onPurpose: Reason.robustness,
                [
                    Step(
                        .raw("command=login&username=\(bob)&username[]=x&password=secret"),
                        .error("Authorization failed"),
                        original: .oneOf([.phpFailure, .error("Authorization failed")])
                    )
                ]
            ),
            ContractCase(
                "form/name-after-the-array-wins",
                [Step(.raw("command=register&username[]=x&username=\(bob)&password=secret"), .account("bob", bob))]
            ),
        ]

    /// Bodies in which `command` is `stream`.
    private static let streams: [(String, String)] = [
        ("name-encoded", "com%6dand=stream"), ("value-encoded", "command=%73%74ream"),
        ("ampersand-first", "&command=stream"), ("ampersands-last", "command=stream&&"),
        ("pair-without-a-name", "=x&command=stream"), ("pair-without-equals", "x&command=stream"),
        ("equals-alone", "=&command=stream"),
        ("space-before-the-name", "x=1&+command=stream"), ("encoded-space-before-the-name", "%20%20command=stream"),
        ("raw-space-before-the-name", "x=1& command=stream"), ("nul-in-the-name", "command%00x=stream"),
        ("last-wins", "command=logout&command=stream"), ("array-then-value", "command[]=logout&command=stream"),
        ("closing-bracket-first", "]x=1&command=stream"), ("bad-escape-elsewhere", "x=%&y=%4&z=%zz&command=stream"),
        ("byte-above-ascii-elsewhere", "x=\u{e9}&command=stream"),
    ]

    /// Bodies in which `command` is something else, or nothing.
    private static let nothings: [(String, String)] = [
        ("semicolon-is-no-separator", "x=1;command=stream"), ("semicolon-belongs-to-the-value", "command=stream;x=1"),
        ("no-equals", "command"), ("two-equals", "command==stream"), ("second-equals", "command=stream="),
        ("space-after-the-name", "command+=stream"), ("space-in-the-value", "command=stream+"),
        ("dot-after-the-name", "command.=stream"), ("bracket-not-closed", "command[=stream"),
        ("bracket-not-closed-later", "command[x=stream"), ("array", "command[]=stream"),
        ("array-with-a-key", "command[a]=stream"), ("text-after-the-array", "command[]x=stream"),
        ("value-then-array", "command=stream&command[]=x"), ("nul-before-the-name", "%00command=stream"),
        ("tab-before-the-name", "%09command=stream"), ("line-end-after-the-value", "command=stream\r\n"),
        ("byte-order-mark", "\u{feff}command=stream"), ("encoded-twice", "command=%2573tream"),
        ("encoded-ampersand", "x=1%26command=stream"), ("encoded-equals", "command%3dstream"),
    ]

    /// What follows a name in the body, and what is stored.
    private static let names: [(String, String, String)] = [
        ("semicolon-in-a-value", ";x", ";x"), ("equals-in-a-value", "=x", "=x"), ("plus", "+x", " x"),
        ("encoded-line-end", "%0D%0Ax", "\\r\\nx"), ("raw-space", " x", " x"), ("question-mark", "?x#y", "?x#y"),
        ("raw-line-end", "\r\nx", "\\r\\nx"), ("brackets-in-a-value", "[x]", "[x]"),
    ]

    private static func pairs(_ count: Int) -> String {
        (1...count).map { "x\($0)=&" }.joined()
    }
}
