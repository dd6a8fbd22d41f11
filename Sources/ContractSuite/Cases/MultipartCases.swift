extension ContractSuite {
    private static let isList = ReplyRule.api(.photoListWithout("no photo has this text"))
    private static let stream = [Multipart.Part.field("command", "stream")]

    private static func framing(_ label: String, _ expected: ReplyRule, _ multipart: Multipart) -> ContractCase {
        ContractCase("multipart/\(label)", [Step(.multipart(multipart), expected)])
    }

    /// A case in which only the `Content-Type` header is special; the body's boundary is `b`.
    private static func type(
        _ label: String,
        _ expected: ReplyRule,
        _ header: String,
        boundary: String = "b"
    ) -> ContractCase {
        framing(label, expected, Multipart(parts: stream, boundary: boundary, contentType: header))
    }

    /// Multipart bodies without files: the framing.
    static let multipartCases: [ContractCase] =
        typeCases + headerLineCases + [
            framing("crlf", isList, Multipart(parts: stream)),
            framing("lf-line-ends", isList, Multipart(parts: stream, lineEnd: "\n")),
            framing("preamble", isList, Multipart(parts: stream, preamble: "This is a preamble.\r\n")),
            framing("leading-crlf", isList, Multipart(parts: stream, preamble: "\r\n")),
            framing("leading-lf", isList, Multipart(parts: stream, preamble: "\n")),
            framing("epilogue", isList, Multipart(parts: stream, epilogue: "The end.")),
            framing(
                // The last boundary is a boundary like any other: parts after it count.
                "fields-after-the-last-boundary-count",
                .empty,
                Multipart(
                    parts: stream,
                    epilogue: """
                        --Boundary+0xAbCdEfGbOuNdArY\r
                        Content-Disposition: form-data; name="command"\r
                        \r
                        logout\r
                        --Boundary+0xAbCdEfGbOuNdArY--\r

                        """
                )
            ),
            framing("last-boundary-without-hyphens", isList, Multipart(parts: stream, ending: .withoutHyphens)),
            framing(
                "no-last-boundary-after-another-part",
                isList,
                Multipart(parts: stream + [.field("x", "y")], ending: .missing)
            ),
            framing(
                "last-of-equal-names-wins",
                isList,
                Multipart(parts: [.field("command", "logout")] + stream)
            ),
            framing(
                "no-parts",
                .empty,
                Multipart(parts: [])
            ),
            framing("long-boundary", isList, Multipart(parts: stream, boundary: String(repeating: "b", count: 70))),
            framing(
                "boundary-of-punctuation",
                isList,
                Multipart(parts: stream, boundary: "'()+_-./:=?")
            ),
            framing(
                "a-thousand-fields",
                isList,
                Multipart(parts: (1...999).map { .field("x\($0)", "") } + stream)
            ),
            framing(
                "beyond-a-thousand-fields",
                .empty,
                Multipart(parts: (1...1001).map { .field("x\($0)", "") } + stream)
            ),
            ContractCase(
                "multipart/type-without-a-body",
                [Step(.raw("", type: "multipart/form-data; boundary=b"), .empty)]
            ),
            ContractCase(
                "multipart/byte-by-byte",
                [
                    Step(
                        .multipart(Multipart(parts: stream)).with {
                            $0.delivery = .pieces(size: 1, pauseMilliseconds: 0)
                        },
                        isList
                    )
                ]
            ),
            ContractCase(
                "multipart/pause-in-the-boundary",
                [
                    Step(
                        .multipart(Multipart(parts: stream)).with {
                            $0.delivery = .cuts([1, 5, 30, 60, 90], pauseMilliseconds: 30)
                        },
                        isList
                    )
                ]
            ),
        ]
        + values.map { label, sent, stored in
            ContractCase(
                "multipart/value/\(label)",
                [
                    Step(
                        .parts(
                            .field("command", "register"),
                            .field("username", "\(name: "a")\(sent)"),
                            .field("password", "secret")
                        ),
                        .account("bob", "\(name: "a")\(stored)")
                    )
                ]
            )
        }

    /// How the boundary may be announced.
    private static let typeCases: [ContractCase] = [
        type("boundary-quoted", isList, "multipart/form-data; boundary=\"b\""),
        type("boundary-quoted-with-a-space", isList, "multipart/form-data; boundary=\"a b\"", boundary: "a b"),
        type("charset-before-the-boundary", isList, "multipart/form-data; charset=utf-8; boundary=b"),
        type("charset-after-the-boundary", isList, "multipart/form-data; boundary=b; charset=utf-8"),
        type("comma-before-the-boundary", isList, "multipart/form-data, boundary=b"),
        type("no-space-before-the-boundary", isList, "multipart/form-data;boundary=b"),
        type("type-in-any-case", isList, "Multipart/Form-Data; boundary=b"),
        type("boundary-in-capitals", isList, "multipart/form-data; BOUNDARY=b"),
        type("boundary-ends-at-a-comma", isList, "multipart/form-data; boundary=b,c"),
        type("boundary-ends-at-a-semicolon", isList, "multipart/form-data; boundary=b;c"),
        type("boundary-quote-not-closed", .empty, "multipart/form-data; boundary=\"b"),
        type("boundary-missing", .empty, "multipart/form-data"),
        type("boundary-without-a-value", .empty, "multipart/form-data; boundary"),
        type("another-boundary-in-the-body", .empty, "multipart/form-data; boundary=c"),
        type("boundary-in-another-case-in-the-body", .empty, "multipart/form-data; boundary=B"),
        type("another-multipart", .empty, "multipart/mixed; boundary=b"),
    ]

    /// How a part's header lines may be written.
    private static let headerLineCases: [ContractCase] =
        [
            ("name-unquoted", isList, "Content-Disposition: form-data; name=command"),
            ("name-in-apostrophes", isList, "Content-Disposition: form-data; name='command'"),
            ("header-in-lower-case", isList, "content-disposition: form-data; name=\"command\""),
            ("header-in-capitals", isList, "CONTENT-DISPOSITION: form-data; name=\"command\""),
            ("no-space-after-the-colon", isList, "Content-Disposition:form-data; name=\"command\""),
            ("no-space-after-the-semicolon", isList, "Content-Disposition: form-data;name=\"command\""),
            ("attribute-in-capitals", isList, "Content-Disposition: form-data; NAME=\"command\""),
            ("other-attributes", isList, "Content-Disposition: form-data; x=y; name=\"command\"; z=\"1\""),
            ("name-missing", .empty, "Content-Disposition: form-data"),
            ("name-empty", .empty, "Content-Disposition: form-data; name=\"\""),
            ("header-missing", .empty, "Content-Type: text/plain"),
            ("name-in-another-case", .empty, "Content-Disposition: form-data; name=\"Command\""),
            ("name-not-url-decoded", .empty, "Content-Disposition: form-data; name=\"com%6dand\""),
            ("name-with-an-escaped-quote", .empty, "Content-Disposition: form-data; name=\"command\\\"\""),
        ].map { label, expected, line in
            framing("part/\(label)", expected, Multipart(parts: [.init(headers: ["\(line)"], contents: "stream")]))
        } + [
            framing(
                "part/more-headers",
                isList,
                Multipart(
                    parts: [
                        .init(
                            headers: [
                                "Content-Type: text/plain; charset=UTF-8",
                                "Content-Disposition: form-data; name=\"command\"", "X-Other: 1",
                            ],
                            contents: "stream"
                        )
                    ]
                )
            ),
            framing(
                "part/folded-header",
                isList,
                Multipart(
                    parts: [
                        .init(
                            headers: ["Content-Disposition: form-data;", " name=\"command\""],
                            contents: "stream"
                        )
                    ]
                )
            ),
            framing(
                "part/base64-is-taken-literally",
                .empty,
                Multipart(
                    parts: [
                        .init(
                            headers: [
                                "Content-Disposition: form-data; name=\"command\"",
                                "Content-Transfer-Encoding: base64",
                            ],
                            contents: "c3RyZWFt"
                        )
                    ]
                )
            ),
            framing(
                "part/literal-despite-base64",
                isList,
                Multipart(
                    parts: [
                        .init(
                            headers: [
                                "Content-Disposition: form-data; name=\"command\"",
                                "Content-Transfer-Encoding: base64",
                            ],
                            contents: "stream"
                        )
                    ]
                )
            ),
        ]

    /// Contents of a part that look like something else, and what is stored of them.
    private static let values: [(String, String, String)] = [
        ("crlf-inside", "\r\nx", "\\r\\nx"), ("crlf-at-the-end", "x\r\n", "x\\r\\n"), ("lf-inside", "\nx", "\\nx"),
        ("cr-at-the-end", "x\r", "x\\r"), ("hyphens", "--x--", "--x--"), ("crlf-and-hyphens", "\r\n--x", "\\r\\n--x"),
        ("most-of-the-boundary", "\r\n--Bounda", "\\r\\n--Bounda"), ("ampersand", "&x=1", "&x=1"),
        ("boundary-without-a-line-end", "--Boundary+0xA", "--Boundary 0xA"),
    ]
}
