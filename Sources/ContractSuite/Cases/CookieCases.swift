extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let isList = BodyRule.photoListWithout("no photo has this text")
    private static let attributes = "Scripts must not read the cookie, and other sites must not send it."
    private static let onlyOnce = "A cookie for every visitor makes every visitor a file and a lock."

    /// The session cookie as it is set.
    static let cookieCases: [ContractCase] = [
        ContractCase(
            "cookie/at-registration",
            onPurpose: attributes,
            [
                Step(
                    .register(bob, "secret"),
                    .account("bob", bob, .setsSession(.hardened)),
                    original: .account("bob", bob, .setsSession(.plain))
                )
            ]
        ),
        ContractCase(
            "cookie/at-login",
            onPurpose: attributes,
            [
                .registerBob,
                Step(
                    .login(bob, "secret"),
                    .account("bob", bob, .setsSession(.hardened)),
                    original: .account("bob", bob, .setsSession(.plain)),
                    forgettingCookies: true
                ),
            ]
        ),
        ContractCase(
            "cookie/none-for-a-visitor",
            onPurpose: onlyOnce,
            [Step(.stream, .api(isList, .setsNoSession), original: .api(isList, .setsSession(.plain)))]
        ),
        ContractCase(
            "cookie/none-after-a-failed-login",
            onPurpose: onlyOnce,
            [
                Step(
                    .login("\(name: "nobody")", "x"),
                    .json("{\"error\":\"Authorization failed\"}", .setsNoSession),
                    original: .json("{\"error\":\"Authorization failed\"}", .setsSession(.plain))
                )
            ]
        ),
        ContractCase(
            "cookie/none-for-an-unknown-command",
            onPurpose: onlyOnce,
            [Step(.form(["command": "x"]), .json("", .setsNoSession), original: .json("", .setsSession(.plain)))]
        ),
        ContractCase(
            "cookie/not-set-again",
            [.registerBob, Step(.stream, .api(isList, .setsNoSession))]
        ),
        ContractCase(
            "cookie/not-set-again-at-upload",
            [.registerBob, Step(.upload(.title), .json("{\"successful\":1}", .setsNoSession))]
        ),
    ]
}
