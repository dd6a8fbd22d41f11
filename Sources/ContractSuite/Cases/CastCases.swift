extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"
    private static let isList = ReplyRule.api(.photoListWithout("no photo has this text"))

    /// `IdPhoto` is cast as PHP's `(int)` does.
    static let castCases: [ContractCase] =
        sameNumber.map { label, before, after in
            ContractCase(
                "cast/\(label)",
                [
                    .registerBob, .upload(.title), .find(.title),
                    Step(
                        .form(["command": "stream", "IdPhoto": "\(before)\(id: "photo")\(after)"]),
                        .photo("photo", .title, "bob", bob)
                    ),
                ]
            )
        }
        + zeroes.map { label, value in
            ContractCase("cast/zero/\(label)", [Step(.form(["command": "stream", "IdPhoto": "\(value)"]), isList)])
        }
        + farAway.map { label, value in
            ContractCase(
                "cast/far/\(label)",
                [Step(.form(["command": "stream", "IdPhoto": "\(value)"]), .noPhotos)]
            )
        } + [
            ContractCase(
                "cast/not-decoded-again",
                [
                    .registerBob, .upload(.title), .find(.title),
                    Step(.form(["command": "stream", "IdPhoto": "%20\(id: "photo")"]), isList),
                ]
            ),
            ContractCase(
                "cast/array",
                onPurpose: "An array counts as missing here, as it does everywhere else; to PHP it is the number 1.",
                [
                    Step(
                        .form(["command": "stream", "IdPhoto[]": "2147483647"]),
                        isList,
                        original: .api(.photoListWithout("no photo has this text"))
                    )
                ]
            ),
        ]

    /// What may stand around a number without changing it.
    private static let sameNumber: [(String, String, String)] = [
        ("plain", "", ""), ("letters-after", "", "abc"), ("fraction", "", ".9"), ("point-after", "", "."),
        ("exponent-zero", "", "e0"), ("exponent-unfinished", "", "e"), ("exponent-sign-only", "", "e+"),
        ("exponent-capital", "", "E0"), ("fraction-and-exponent", "", ".0e0"), ("space-before", " ", ""),
        ("space-after", "", " "), ("line-feed-before", "\n", ""), ("tab-before", "\t", ""),
        ("carriage-return-before", "\r", ""), ("vertical-tab-before", "\u{b}", ""),
        ("form-feed-before", "\u{c}", ""), ("several-blanks-before", " \n\t ", ""), ("plus", "+", ""),
        ("blank-and-plus", " +", ""), ("leading-zeroes", "000", ""), ("nul-after", "", "\u{0}9"),
        ("comma-after", "", ",000"), ("hyphen-after", "", "-1"), ("sql-after", "", " OR 1=1"),
    ]

    private static let zeroes: [(String, String)] = [
        ("empty", ""), ("letters", "abc"), ("hexadecimal", "0x2"), ("binary", "0b1"), ("zero", "0"),
        ("minus-zero", "-0"), ("zeroes", "000"), ("fraction", "0.9"), ("point-first", ".9"), ("sign-only", "+"),
        ("two-signs", "+-2147483647"), ("sign-and-blank", "+ 2147483647"), ("nul-before", "\u{0}2147483647"),
        ("small-exponent", "1e-1"), ("exponent-only", "e5"), ("not-a-number", "NaN"), ("infinity", "INF"),
        ("blanks", " \t "), ("infinite-exponent", "1e1000"), ("no-break-space", "\u{a0}2147483647"),
    ]

    private static let farAway: [(String, String)] = [
        ("minus-one", "-1"), ("largest", "9223372036854775807"), ("beyond-largest", "9223372036854775808"),
        ("twenty-digits", "99999999999999999999"), ("smallest", "-9223372036854775808"),
        ("beyond-smallest", "-99999999999999999999"), ("exponent", "2e15"), ("exponent-with-sign", "2e+15"),
        ("large-exponent", "1e300"), ("large-fraction", "2147483646.9"),
    ]
}
