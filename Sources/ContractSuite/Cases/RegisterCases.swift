extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let failed = ReplyRule.error("Registration failed")
    private static let emptyReason = "An account without a name or without a password is open to everyone."

    /// The command `register`.
    static let registerCases: [ContractCase] = [
        ContractCase("register/created", [.registerBob]),
        ContractCase(
            "register/as-the-iphone-client-sends-it",
            [
                Step(
                    .parts(.field("command", "register"), .field("username", bob), .field("password", "secret")),
                    .account("bob", bob)
                )
            ]
        ),
        ContractCase("register/logged-in-at-once", [.registerBob, .upload(.title), .find(.title)]),
        ContractCase(
            "register/name-taken",
            [.registerBob, Step(.register(bob, "other"), .error("Username already exists"))]
        ),
        ContractCase(
            "register/name-taken-with-the-same-password",
            [.registerBob, Step(.register(bob, "secret"), .error("Username already exists"))]
        ),
        ContractCase(
            "register/name-taken-in-another-case",
            [
                Step(.register("\(name: "Bob")", "secret"), .account("bob", "\(name: "Bob")")),
                Step(.register("\(name: "bOB")", "secret"), .error("Username already exists")),
            ]
        ),
        ContractCase(
            "register/name-taken-with-trailing-spaces",
            [.registerBob, Step(.register("\(bob)  ", "secret"), .error("Username already exists"))]
        ),
        ContractCase(
            "register/name-taken-leaves-the-session-alone",
            [
                .registerBob,
                Step(
                    .register("\(name: "ann")", "secret"),
                    .account("ann", "\(name: "ann")"),
                    forgettingCookies: true
                ),
                Step(.register(bob, "secret"), .error("Username already exists")),
                .upload(.title),
                Step(
                    .stream,
                    .api(.photoList(containing: ReplyRule.row("photo", .title, "ann", "\(name: "ann")")))
                ),
            ]
        ),
        ContractCase(
            "register/leading-space-is-another-name",
            [.registerBob, Step(.register(" \(bob)", "secret"), .account("other", " \(bob)"))]
        ),
        ContractCase(
            "register/while-logged-in-changes-the-user",
            [
                Step(.register("\(name: "ann")", "secret"), .account("ann", "\(name: "ann")")),
                .registerBob, .upload(.title), .find(.title),
            ]
        ),
        ContractCase(
            "register/longest-name-of-the-legacy-table",
            [
                Step(
                    .register("\(name: "")\(longName(45))", "secret"),
                    .account("bob", "\(name: "")\(longName(45))")
                )
            ]
        ),
        ContractCase(
            "register/name-too-long",
            onPurpose: Reason.databaseError,
            [
                Step(
                    .register("\(bob)\(String(repeating: "x", count: 300))", "secret"),
                    failed,
                    original: .errorOrFailure("Registration failed")
                ),
                .seesNoLogin,
            ]
        ),
        ContractCase(
            "register/sql-is-text",
            [Step(.register("\(name: "a")' OR '1'='1", "'\"\\"), .account("bob", "\(name: "a")' OR '1'='1"))]
        ),
        ContractCase(
            "register/format-specifiers-are-text",
            [Step(.register("\(name: "a")%s%d%1$s", "%s%d"), .account("bob", "\(name: "a")%s%d%1$s"))]
        ),
        ContractCase(
            "register/name-missing",
            onPurpose: emptyReason,
            [
                Step(
                    .form(["command": "register", "password": "\(name: "unguessable")"]),
                    failed,
                    original: .oneOf([.account("bob", ""), .error("Username already exists")])
                )
            ]
        ),
        ContractCase(
            "register/name-empty",
            onPurpose: emptyReason,
            [
                Step(
                    .register("", "\(name: "unguessable")"),
                    failed,
                    original: .oneOf([.account("bob", ""), .error("Username already exists")])
                )
            ]
        ),
        ContractCase(
            "register/password-missing",
            onPurpose: emptyReason,
            [Step(.form(["command": "register", "username": bob]), failed, original: .account("bob", bob))]
        ),
        ContractCase(
            "register/password-empty",
            onPurpose: emptyReason,
            [Step(.register(bob, ""), failed, original: .account("bob", bob))]
        ),
        ContractCase(
            "register/name-as-an-array",
            onPurpose: Reason.robustness,
            [
                Step(
                    .form(["command": "register", "username[]": bob, "password": "secret"]),
                    failed,
                    original: .oneOf([.phpFailure, .api(.anything)])
                )
            ]
        ),
        ContractCase(
            "register/password-as-an-array",
            onPurpose: Reason.robustness,
            [
                Step(
                    .form(["command": "register", "username": bob, "password[]": "secret"]),
                    failed,
                    original: .oneOf([.phpFailure, .api(.anything)])
                )
            ]
        ),
        ContractCase(
            "register/one-name-eight-times-at-once",
            onPurpose: "Two accounts of one name would shadow each other.",
            [
                Step(
                    .register(bob, "secret"),
                    .account("bob", bob),
                    race: Step.Race(copies: 8, rest: .error("Username already exists"))
                ),
                Step(.login(bob, "secret"), .account("bob", bob)),
            ]
        ),
    ]

    /// Letters that bring a case's name to `total` bytes at most in the suite's longest prefix.
    private static func longName(_ total: Int) -> String {
        String(repeating: "n", count: total - 20)
    }
}
