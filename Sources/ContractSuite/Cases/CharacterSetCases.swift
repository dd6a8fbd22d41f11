extension ContractSuite {
    /// Text beyond ASCII.
    ///
    /// Over a latin1 connection the bytes pass unchanged, over utf8mb4 they are converted; what a
    /// latin1 column cannot hold is then refused by the database.
    static let characterSetCases: [ContractCase] = [
        ContractCase("charset/accent", nameSteps("\u{e9}", "\\u00e9")),
        ContractCase("charset/umlauts", nameSteps("\u{c4}\u{d6}\u{fc}\u{df}", "\\u00c4\\u00d6\\u00fc\\u00df")),
        ContractCase("charset/no-break-space", nameSteps("\u{a0}x", "\\u00a0x")),
        ContractCase("charset/two-kanji", nameSteps("\u{65e5}\u{672c}", "\\u65e5\\u672c", mayBeRefused: true)),
        ContractCase("charset/emoji", nameSteps("\u{1f600}", "\\ud83d\\ude00", mayBeRefused: true)),
        ContractCase("charset/line-separator", nameSteps("\u{2028}", "\\u2028", mayBeRefused: true)),
        ContractCase("charset/byte-order-mark", nameSteps("\u{feff}x", "\\ufeffx", mayBeRefused: true)),
        ContractCase("charset/last-code-point", nameSteps("\u{10ffff}", "\\udbff\\udfff", mayBeRefused: true)),
        ContractCase(
            "charset/accent-in-a-title",
            [.registerBob, .upload("\(name: "t")\u{e9}t\u{e9}"), .find("\(name: "t")\\u00e9t\\u00e9")]
        ),
        ContractCase(
            "charset/accent-percent-encoded-in-a-title",
            [.registerBob, .upload("\(name: "t")%C3%A9"), .find("\(name: "t")\\u00e9")]
        ),
        ContractCase(
            "charset/not-utf-8",
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

    private static func nameSteps(_ text: String, _ written: String, mayBeRefused: Bool = false) -> [Step] {
        let stored: Template = "\(name: "a")\(written)"
        let success = Expectation.account("bob", stored)
        let refused = Expectation.error("Registration failed")
        return [
            Step(
                .register("\(name: "a")\(text)", "secret"),
                mayBeRefused ? .oneOf([success, refused]) : success,
                original: mayBeRefused ? .oneOf([success, refused, .phpFailure]) : nil
            ),
            Step(
                .login("\(name: "a")\(text)", "secret"),
                mayBeRefused ? .oneOf([success, .error("Authorization failed")]) : success,
                original: mayBeRefused ? .oneOf([success, .error("Authorization failed"), .phpFailure]) : nil,
                forgettingCookies: true
            ),
        ]
    }
}
