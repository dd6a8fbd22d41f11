extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let ann: Template = "\(name: "ann")"
    private static let required = ReplyRule.error("Authorization required")
    private static let loggedIn = ReplyRule.error("Upload malfunction")
    private static let fixationReason = "An id that somebody else has chosen must never become a key to an account."

    private static func probe(cookies: String) -> ContractRequest {
        .uploadOfNothing.with { $0.cookies = .header(cookies) }
    }

    /// A `Cookie` header that is read as the session of `bob`, or is not.
    private static func header(_ label: String, _ cookies: String, isBob: Bool) -> ContractCase {
        ContractCase(
            "session/cookie-header/\(label)",
            [.registerBob, Step(probe(cookies: cookies), isBob ? loggedIn : required)]
        )
    }

    /// A session id that PHP's file store cannot take: PHP then starts no session and leaves out its headers.
    private static func impossible(_ label: String, _ id: String) -> ContractCase {
        ContractCase(
            "session/id-impossible/\(label)",
            onPurpose: "The headers are those of every other reply.",
            [
                Step(
                    probe(cookies: "PHPSESSID=\(id)"),
                    required,
                    original: .reply(
                        status: 200,
                        headers: [.equals("Content-Type", "application/json")],
                        body: .exactly("{\"error\":\"Authorization required\"}")
                    )
                )
            ]
        )
    }

    /// Sessions across requests.
    static let sessionCases: [ContractCase] = [
        impossible("path", "../../etc/passwd"), impossible("very-long", String(repeating: "a", count: 3000)),
        impossible("percent-escape", "%00aaaaaaaaaaaaaaaaaaaaaaaaa"),
        ContractCase("session/lasts", [.registerBob, .seesLogin, .seesLogin, .upload(.title), .seesLogin]),
        ContractCase("session/none-at-first", [.seesNoLogin]),
        ContractCase(
            "session/belongs-to-its-client",
            [.registerBob, Step(.uploadOfNothing.with { $0.cookies = .none }, required), .seesLogin]
        ),
        ContractCase(
            "session/logout-ends-it",
            [.registerBob, .seesLogin, Step(.form(["command": "logout"]), .empty), .seesNoLogin]
        ),
        ContractCase(
            "session/logout-ends-it-for-an-old-cookie-too",
            [
                .registerBob, Step(.form(["command": "logout"]).with { $0.cookies = .jar }, .empty),
                .seesNoLogin, Step(.form(["command": "logout"]), .empty), .seesNoLogin,
            ]
        ),
        ContractCase("session/logout-without-one", [Step(.form(["command": "logout"]), .empty), .seesNoLogin]),
        ContractCase(
            "session/login-after-logout",
            [
                .registerBob, Step(.form(["command": "logout"]), .empty),
                Step(.login(bob, "secret"), .account("bob", bob)), .seesLogin, .upload(.title), .find(.title),
            ]
        ),
        ContractCase(
            "session/login-as-somebody-else",
            [
                .registerBob, Step(.register(ann, "secret"), .account("ann", ann)),
                Step(.login(bob, "secret"), .account("bob", bob)), .upload(.title), .find(.title),
            ]
        ),
        ContractCase(
            "session/failed-login-leaves-it",
            [
                .registerBob, Step(.login(bob, "wrong"), .error("Authorization failed")), .upload(.title),
                .find(.title),
            ]
        ),
        ContractCase(
            "session/two-clients-of-one-user",
            [
                .registerBob, Step(.login(bob, "secret"), .account("bob", bob), forgettingCookies: true), .seesLogin,
                Step(.form(["command": "logout"]), .empty), .seesNoLogin,
            ]
        ),
        ContractCase(
            "session/stream-needs-none-and-leaves-it",
            [.registerBob, Step(.stream, .api(.photoListWithout("no photo has this text"))), .seesLogin]
        ),
        ContractCase(
            "session/id-unknown-to-the-server",
            onPurpose: fixationReason,
            [
                Step(
                    .register(bob, "secret").with { $0.cookies = .header("PHPSESSID=aaaaaaaaaaaaaaaaaaaa\(nonce)") },
                    .account("bob", bob, .setsSession(.hardened)),
                    original: .account("bob", bob, .setsNoSession)
                ),
                Step(probe(cookies: "PHPSESSID=aaaaaaaaaaaaaaaaaaaa\(nonce)"), required, original: loggedIn),
            ]
        ),
        ContractCase(
            "session/new-id-at-login",
            onPurpose: "An id that was known before the log-in must not be worth more after it.",
            [
                .registerBob,
                Step(
                    .login(bob, "secret"),
                    .account("bob", bob, .setsSession(.hardened)),
                    original: .account("bob", bob, .setsNoSession)
                ),
                .seesLogin,
            ]
        ),
        header("alone", "PHPSESSID=<session>", isBob: true),
        header("after-another", "a=1; PHPSESSID=<session>", isBob: true),
        header("before-another", "PHPSESSID=<session>; a=1", isBob: true),
        header("without-spaces", "a=1;PHPSESSID=<session>;b=2", isBob: true),
        header("after-one-of-a-similar-name", "XPHPSESSID=x; PHPSESSID=<session>", isBob: true),
        header("first-of-two", "PHPSESSID=<session>; PHPSESSID=bbbbbbbbbbbbbbbbbbbbbbbbbb", isBob: true),
        header("second-of-two", "PHPSESSID=bbbbbbbbbbbbbbbbbbbbbbbbbb; PHPSESSID=<session>", isBob: false),
        header("name-in-another-case", "phpsessid=<session>", isBob: false),
        header("inside-another-value", "a=PHPSESSID=<session>", isBob: false),
        header("one-letter-more", "PHPSESSID=<session>a", isBob: false),
        header("empty", "PHPSESSID=", isBob: false),
        header("without-a-value", "PHPSESSID", isBob: false),
    ]

    /// Six letters that no earlier run has used, for a session id of the case's own choosing.
    private static let nonce = String(RunToken.make().prefix(6))
}
