extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let failed = ReplyRule.error("Authorization failed")
    private static let exactReason = "A password that opens an account in another spelling is half guessed."

    /// The command `login`.
    ///
    /// Failures are few and far between: a backend may limit them.
    static let loginCases: [ContractCase] = [
        ContractCase(
            "login/right-password",
            [.registerBob, Step(.login(bob, "secret"), .account("bob", bob), forgettingCookies: true), .seesLogin]
        ),
        ContractCase(
            "login/as-the-iphone-client-sends-it",
            [
                .registerBob,
                Step(
                    .parts(.field("command", "login"), .field("username", bob), .field("password", "secret")),
                    .account("bob", bob),
                    forgettingCookies: true
                ),
                .seesLogin,
            ]
        ),
        ContractCase(
            "login/wrong-password",
            [.registerBob, Step(.login(bob, "sesame"), failed, forgettingCookies: true), .seesNoLogin]
        ),
        ContractCase("login/unknown-name", [Step(.login("\(name: "nobody")", "secret"), failed), .seesNoLogin]),
        ContractCase(
            "login/name-as-stored",
            [
                Step(.register("\(name: "Bob")", "secret"), .account("bob", "\(name: "Bob")")),
                Step(.login("\(name: "bOB")", "secret"), .account("bob", "\(name: "Bob")"), forgettingCookies: true),
                .seesLogin,
            ]
        ),
        ContractCase(
            "login/trailing-spaces-of-the-name",
            [.registerBob, Step(.login("\(bob)   ", "secret"), .account("bob", bob), forgettingCookies: true)]
        ),
        ContractCase(
            "login/leading-space-of-the-name",
            [.registerBob, Step(.login(" \(bob)", "secret"), failed, forgettingCookies: true)]
        ),
        ContractCase(
            "login/name-missing",
            [Step(.form(["command": "login", "password": "\(name: "x")"]), failed)]
        ),
        ContractCase(
            "login/password-missing",
            [.registerBob, Step(.form(["command": "login", "username": bob]), failed, forgettingCookies: true)]
        ),
        ContractCase(
            "login/password-empty",
            [.registerBob, Step(.login(bob, ""), failed, forgettingCookies: true)]
        ),
        ContractCase(
            "login/sql-is-text",
            [.registerBob, Step(.login(bob, "' OR '1'='1"), failed, forgettingCookies: true)]
        ),
        ContractCase(
            "login/password-in-another-case",
            onPurpose: exactReason,
            [
                .registerBob,
                Step(.login(bob, "SECRET"), failed, original: .account("bob", bob), forgettingCookies: true),
            ]
        ),
        ContractCase(
            "login/password-with-trailing-spaces",
            onPurpose: exactReason,
            [
                .registerBob,
                Step(.login(bob, "secret "), failed, original: .account("bob", bob), forgettingCookies: true),
            ]
        ),
        ContractCase(
            "login/password-as-an-array",
            onPurpose: Reason.robustness,
            [
                .registerBob,
                Step(
                    .form(["command": "login", "username": bob, "password[]": "secret"]),
                    failed,
                    original: .oneOf([.phpFailure, failed]),
                    forgettingCookies: true
                ),
            ]
        ),
        ContractCase(
            "login/name-as-an-array",
            onPurpose: Reason.robustness,
            [
                Step(
                    .form(["command": "login", "username[x]": "y", "password": "\(name: "x")"]),
                    failed,
                    original: .oneOf([.phpFailure, failed])
                )
            ]
        ),
    ]
}
