extension ContractSuite {
    /// `username`, `password` and `title` are URL-decoded once more after the form's own decoding; multipart values
    /// are not decoded by the form, so there this is the only decoding.
    static let decodingCases: [ContractCase] =
        multipartDecodings.map { label, sent, stored in
            ContractCase("decoding/multipart/\(label)", steps(in: multipartRegister, sent, stored))
        }
        + urlencodedDecodings.map { label, sent, stored in
            ContractCase("decoding/urlencoded/\(label)", steps(in: urlencodedRegister, sent, stored))
        } + [
            ContractCase(
                "decoding/password",
                [
                    Step(multipartRegister("\(name: "bob")", "a%2Bb+c%41"), .account("bob", "\(name: "bob")")),
                    // Decoded once this is `a+b cA`, which is what is compared.
                    Step(
                        .login("\(name: "bob")", "a%2Bb c%41"),
                        .account("bob", "\(name: "bob")"),
                        forgettingCookies: true
                    ),
                    Step(.login("\(name: "bob")", "a+b c%41"), .error("Authorization failed"), forgettingCookies: true),
                ]
            ),
            ContractCase(
                "decoding/title-in-multipart",
                [.registerBob, .upload("\(name: "t")+a%20b%2Bc%zz%"), .find("\(name: "t") a b+c%zz%")]
            ),
            ContractCase(
                "decoding/name-found-by-its-decoded-form",
                [
                    Step(multipartRegister("\(name: "a")+%41", "x"), .account("bob", "\(name: "a") A")),
                    Step(.login("\(name: "a") A", "x"), .account("bob", "\(name: "a") A"), forgettingCookies: true),
                    Step(multipartRegister("\(name: "a")%20A", "x"), .error("Username already exists")),
                ]
            ),
        ]

    /// What a multipart value becomes, appended to a name.
    private static let multipartDecodings: [(String, String, String)] = [
        ("plus", "+x", " x"), ("letter", "%41", "A"), ("lower-case-digits", "%2d%7e", "-~"),
        ("mixed-case-digits", "%2D%7E", "-~"), ("per-cent", "%25", "%"), ("only-once", "%2541", "%41"),
        ("plus-encoded", "%2B", "+"), ("alone", "%", "%"), ("one-digit", "%4", "%4"), ("no-digits", "%zz", "%zz"),
        ("half-digit", "%4z", "%4z"), ("doubled", "%%41", "%A"), ("unicode-style", "%u0041", "%u0041"),
    ]

    /// What a urlencoded value becomes, appended to a name; the text is the body's, before the form's decoding.
    private static let urlencodedDecodings: [(String, String, String)] = [
        ("plus-is-a-space", "+x", " x"), ("plus-encoded-is-a-space", "%2Bx", " x"),
        ("plus-encoded-twice-is-a-plus", "%252Bx", "+x"), ("letter", "%41", "A"),
        ("letter-encoded-twice", "%2541", "A"), ("letter-encoded-three-times", "%252541", "%41"),
        ("bad-escape", "%zz", "%zz"), ("bad-escape-completed", "%25zz", "%zz"), ("half-escape", "%254%31", "A"),
    ]

    private static func steps(
        in register: (Template, Template) -> ContractRequest,
        _ sent: String,
        _ stored: String
    ) -> [Step] {
        [Step(register("\(name: "a")\(sent)", "secret"), .account("bob", "\(name: "a")\(stored)"))]
    }

    private static func multipartRegister(_ name: Template, _ password: Template) -> ContractRequest {
        .parts(.field("command", "register"), .field("username", name), .field("password", password))
    }

    private static func urlencodedRegister(_ name: Template, _ password: Template) -> ContractRequest {
        .raw("command=register&username=\(name)&password=\(password)")
    }
}
