extension ContractSuite {
    /// Text beyond ASCII.
    ///
    /// Over a latin1 connection the bytes pass unchanged, over utf8mb4 they are converted; what a
    /// latin1 column cannot hold is then refused by the database.
    static let characterSetCases: [ContractCase] = [
        accepted("accent", "\u{e9}", "\\u00e9"),
        accepted("umlauts", "\u{c4}\u{d6}\u{fc}\u{df}", "\\u00c4\\u00d6\\u00fc\\u00df"),
        accepted("no-break-space", "\u{a0}x", "\\u00a0x"),
        perhapsRefused("two-kanji", "\u{65e5}\u{672c}", "\\u65e5\\u672c"),
        perhapsRefused("emoji", "\u{1f600}", "\\ud83d\\ude00"),
        perhapsRefused("line-separator", "\u{2028}", "\\u2028"),
        perhapsRefused("byte-order-mark", "\u{feff}x", "\\ufeffx"),
        perhapsRefused("last-code-point", "\u{10ffff}", "\\udbff\\udfff"),
        ContractCase(
            "character-set/accent-in-a-title",
            [.registerBob, .upload("\(name: "t")\u{e9}t\u{e9}"), .find("\(name: "t")\\u00e9t\\u00e9")]
        ),
        ContractCase(
            "character-set/accent-percent-encoded-in-a-title",
            [.registerBob, .upload("\(name: "t")%C3%A9"), .find("\(name: "t")\\u00e9")]
        ),
        ContractCase(
            "character-set/not-utf-8",
            onPurpose: "A reply that is always JSON can be read; an empty one cannot.",
            [
                Step(
                    .register("\(name: "a")%ff%fe", "secret"),
                    .oneOf([
                        .account("bob", "\(name: "a")\\ufffd\\ufffd"), .error("Registration failed"),
                    ]),
                    original: .oneOf([.empty, .errorOrFailure("Registration failed")])
                )
            ]
        ),
    ]

    private static func accepted(_ label: String, _ text: String, _ written: String) -> ContractCase {
        let success = ReplyRule.account("bob", "\(name: "a")\(written)")
        return ContractCase(
            "character-set/\(label)",
            [
                Step(.register("\(name: "a")\(text)", "secret"), success),
                Step(.login("\(name: "a")\(text)", "secret"), success, forgettingCookies: true),
            ]
        )
    }

    /// A name that a latin1 column cannot hold over a utf8mb4 connection, nor be compared with.
    private static func perhapsRefused(_ label: String, _ text: String, _ written: String) -> ContractCase {
        let success = ReplyRule.account("bob", "\(name: "a")\(written)")
        let refused = ReplyRule.error("Registration failed")
        let unknown = ReplyRule.error("Authorization failed")
        return ContractCase(
            "character-set/\(label)",
            onPurpose: Reason.databaseError,
            [
                Step(
                    .register("\(name: "a")\(text)", "secret"),
                    .oneOf([success, refused]),
                    original: .oneOf([success, refused, .phpFailure])
                ),
                Step(
                    .login("\(name: "a")\(text)", "secret"),
                    .oneOf([success, unknown, .error("Database error")]),
                    original: .oneOf([success, unknown, .phpFailure]),
                    forgettingCookies: true
                ),
            ]
        )
    }
}
