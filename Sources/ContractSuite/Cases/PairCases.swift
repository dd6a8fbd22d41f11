extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let typeOnly: [HeaderRule] = [.equals("Content-Type", "application/json")]

    private static func reply(_ body: Template) -> ReplyRule {
        .reply(status: 200, headers: typeOnly, body: .exactly(body))
    }

    private static let success = reply("{\"success\":1}")

    private static func failure(_ message: String) -> ReplyRule {
        reply("{\"success\":0,\"error_message\":\"\(message)\"}")
    }

    private static let taken = failure("Username Exist.")
    private static let noMatch = failure("Invalid Username/Password")
    private static let incomplete = failure("Invalid Username/Password.")

    private static func signUp(_ fields: KeyValuePairs<String, Template>) -> ContractRequest {
        .form(fields).with { $0.path = "jsonsignup.php" }
    }

    private static func signUp(_ name: Template, _ password: Template, _ again: Template) -> ContractRequest {
        signUp(["username": name, "password": password, "c_password": again])
    }

    private static func logIn(_ fields: KeyValuePairs<String, Template>) -> ContractRequest {
        .form(fields).with { $0.path = "jsonlogin2.php" }
    }

    private static func logIn(_ name: Template, _ password: Template) -> ContractRequest {
        logIn(["username": name, "password": password])
    }

    private static let created = Step(signUp(bob, "secret", "secret"), success)

    private static func pair(_ label: String, onPurpose reason: String? = nil, _ steps: [Step]) -> ContractCase {
        ContractCase("pair/\(label)", group: .pair, onPurpose: reason, steps)
    }

    /// The sign-up and log-in pair.
    static let pairCases: [ContractCase] = [
        pair("sign-up/created", [created]),
        pair(
            "sign-up/name-taken",
            onPurpose: Reason.databaseError,
            [created, Step(signUp(bob, "other", "other"), taken, original: .oneOf([taken, .phpFailure]))]
        ),
        pair(
            "sign-up/name-taken-in-another-case",
            onPurpose: Reason.databaseError,
            [
                Step(signUp("\(name: "Bob")", "secret", "secret"), success),
                Step(signUp("\(name: "bOB")", "x", "x"), taken, original: .oneOf([taken, .phpFailure])),
            ]
        ),
        pair("sign-up/passwords-differ", [Step(signUp(bob, "secret", "Secret"), failure("Passwords does not match."))]),
        pair(
            "sign-up/second-password-missing",
            [Step(signUp(["username": bob, "password": "secret"]), failure("Passwords does not match."))]
        ),
        pair("sign-up/name-empty", [Step(signUp("", "secret", "secret"), failure("Invalid Username."))]),
        pair("sign-up/name-zero", [Step(signUp("0", "secret", "secret"), failure("Invalid Username."))]),
        pair(
            "sign-up/name-missing",
            [Step(signUp(["password": "secret", "c_password": "secret"]), failure("Invalid Username."))]
        ),
        pair(
            "sign-up/name-comes-before-passwords",
            [Step(signUp("", "a", "b"), failure("Invalid Username."))]
        ),
        pair("sign-up/no-fields", [Step(signUp([:]), failure("Invalid Data."))]),
        pair("sign-up/get", [Step(.get("jsonsignup.php?username=x"), failure("Invalid Data."))]),
        pair(
            "sign-up/other-fields-only",
            [Step(signUp(["x": "y"]), failure("Invalid Username."))]
        ),
        pair(
            "sign-up/equal-as-numbers",
            [Step(signUp(bob, "1e1", "10"), success), Step(logIn(bob, "1e1"), success)]
        ),
        pair(
            "sign-up/equal-as-numbers-with-a-blank",
            [Step(signUp(bob, " 1.0", "1"), success)]
        ),
        pair(
            "sign-up/dot-in-the-field-name",
            [Step(signUp(["username": bob, "password": "x", "c.password": "x"]), success)]
        ),
        pair(
            "sign-up/not-decoded-again",
            [Step(signUp("\(bob)%41", "a+b", "a+b"), success), Step(logIn("\(bob)%41", "a+b"), success)]
        ),
        pair(
            "sign-up/multipart",
            [
                Step(
                    ContractRequest.parts(
                        .field("username", bob),
                        .field("password", "x"),
                        .field("c_password", "x")
                    ).with { $0.path = "jsonsignup.php" },
                    success
                ),
                Step(logIn(bob, "x"), success),
            ]
        ),
        pair("log-in/match", [created, Step(logIn(bob, "secret"), success)]),
        pair(
            "log-in/name-in-another-case",
            [
                Step(signUp("\(name: "Bob")", "secret", "secret"), success),
                Step(logIn("\(name: "bOB")", "secret"), success),
            ]
        ),
        pair("log-in/wrong-password", [created, Step(logIn(bob, "Secret"), noMatch)]),
        pair("log-in/unknown-name", [Step(logIn("\(name: "nobody")", "secret"), noMatch)]),
        pair("log-in/name-empty", [Step(logIn("", "secret"), incomplete)]),
        pair("log-in/name-missing", [Step(logIn(["password": "secret"]), incomplete)]),
        pair("log-in/name-zero", [Step(logIn("0", "secret"), incomplete)]),
        pair("log-in/password-empty", [created, Step(logIn(bob, ""), incomplete)]),
        pair("log-in/password-missing", [created, Step(logIn(["username": bob]), incomplete)]),
        pair(
            "log-in/password-zero",
            [Step(signUp(bob, "0", "0"), success), Step(logIn(bob, "0"), incomplete)]
        ),
        pair("log-in/no-fields", [Step(logIn([:]), failure("Invalid Data."))]),
        pair("log-in/get", [Step(.get("jsonlogin2.php"), failure("Invalid Data."))]),
        pair(
            "log-in/password-as-an-array",
            onPurpose: Reason.robustness,
            [
                created,
                Step(
                    logIn(["username": bob, "password[]": "secret"]),
                    incomplete,
                    original: .oneOf([.phpFailure, noMatch])
                ),
            ]
        ),
        pair(
            "log-in/accented-password",
            [
                Step(signUp(bob, "\u{e9}\u{1f600}", "\u{e9}\u{1f600}"), success),
                Step(logIn(bob, "\u{e9}\u{1f600}"), success),
            ]
        ),
        pair("sign-up/double-slashes", [Step(signUp(bob, "x", "x").with { $0.doublesSlashes = true }, success)]),
    ]
}
