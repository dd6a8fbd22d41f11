extension ContractSuite {
    private static let streamForm = ContractRequest.form(["command": "stream"])
    private static let streamByName = streamForm.with { $0.path = "index.php" }
    private static let isList = ReplyRule.api(.photoListWithout("no photo has this text"))

    /// Where requests go and how their bytes arrive.
    static let transportCases: [ContractCase] = [
        ContractCase("path/directory", [Step(streamForm, isList)]),
        ContractCase("path/index.php", [Step(streamForm.with { $0.path = "index.php" }, isList)]),
        ContractCase("path/double-slashes", [Step(streamForm.with { $0.doublesSlashes = true }, isList)]),
        ContractCase("path/slash-after-directory", [Step(streamForm.with { $0.path = "/" }, isList)]),
        ContractCase("path/slashes-before-index.php", [Step(streamForm.with { $0.path = "//index.php" }, isList)]),
        ContractCase("path/query-ignored", [Step(streamForm.with { $0.path = "?command=logout" }, isList)]),
        ContractCase(
            "path/query-of-index.php-ignored",
            [Step(streamForm.with { $0.path = "index.php?command=logout&IdPhoto=1" }, isList)]
        ),
        ContractCase(
            "path/double-slashes-before-a-photo",
            [
                .registerBob, .upload(.title), .find(.title),
                Step(
                    .get("upload//\(id: "photo").jpg").with { $0.doublesSlashes = true },
                    .reply(status: 200, headers: [], body: .exactly(Template(bytes: Sample.baseline)))
                ),
            ]
        ),
        ContractCase("method/get-with-query", [Step(.get("?command=stream"), .empty)]),
        // By its name: nginx itself refuses these methods where a directory's index has to be found.
        ContractCase("method/put", [Step(streamByName.with { $0.method = "PUT" }, .empty)]),
        ContractCase("method/patch", [Step(streamByName.with { $0.method = "PATCH" }, .empty)]),
        ContractCase("method/delete", [Step(.get("index.php").with { $0.method = "DELETE" }, .empty)]),
        ContractCase("method/options", [Step(.get("index.php").with { $0.method = "OPTIONS" }, .empty)]),
        ContractCase(
            "method/get-with-a-form-body",
            [Step(streamForm.with { $0.method = "GET" }, .empty)]
        ),
        ContractCase("body/none", [Step(ContractRequest(), .empty)]),
        ContractCase("body/empty", [Step(.raw(""), .empty)]),
        ContractCase("body/type-missing", [Step(.raw("command=stream", type: nil), .empty)]),
        ContractCase("body/type-text", [Step(.raw("command=stream", type: "text/plain"), .empty)]),
        ContractCase(
            "body/type-json",
            [Step(.raw("{\"command\":\"stream\"}", type: "application/json"), .empty)]
        ),
        ContractCase(
            "body/type-with-charset",
            [Step(.raw("command=stream", type: "application/x-www-form-urlencoded; charset=UTF-8"), isList)]
        ),
        ContractCase(
            "body/type-in-any-case",
            [Step(.raw("command=stream", type: "Application/X-WWW-Form-URLEncoded"), isList)]
        ),
        ContractCase(
            "body/byte-by-byte",
            [
                Step(
                    .register("\(name: "bob")", "secret").with {
                        $0.delivery = .pieces(size: 1, pauseMilliseconds: 0)
                    },
                    .account("bob", "\(name: "bob")")
                )
            ]
        ),
        ContractCase(
            "body/pause-in-a-percent-escape",
            [
                Step(
                    .raw("command=%73tream").with { $0.delivery = .cuts([0, 9, 10], pauseMilliseconds: 50) },
                    isList
                )
            ]
        ),
        ContractCase(
            "body/chunked",
            [Step(streamForm.with { $0.length = .chunked(size: 5) }, isList)]
        ),
        ContractCase(
            "body/chunked-upload",
            [
                .registerBob,
                Step(.upload(.title).with { $0.length = .chunked(size: 100) }, .successful),
                .find(.title),
            ]
        ),
        ContractCase(
            "body/upload-byte-by-byte",
            [
                .registerBob,
                Step(.upload(.title).with { $0.delivery = .pieces(size: 1, pauseMilliseconds: 0) }, .successful),
                .find(.title),
            ]
        ),
        ContractCase(
            "body/longer-than-its-length",
            [Step(.raw("command=stream&command=logout").with { $0.length = .claimed("14") }, isList)]
        ),
        ContractCase(
            "body/ends-early",
            [
                .registerBob,
                Step(
                    .upload(.title).with {
                        $0.length = .claimed("5000")
                        $0.closesAfterSending = true
                    },
                    .anything
                ),
                .seesNone(.title),
            ]
        ),
        ContractCase(
            "body/over-the-limit",
            onPurpose: "An error in JSON can be shown by the client; an empty reply or a page of HTML cannot.",
            [
                Step(
                    .parts(.field("command", "upload")).with { $0.length = .claimed("1099511627776") },
                    // nginx itself says this, so the headers that PHP adds are not asked for.
                    .reply(
                        status: 200,
                        headers: [.equals("Content-Type", "application/json")],
                        body: .exactly("{\"error\":\"Upload malfunction\"}")
                    ),
                    original: .anything
                ),
                Step(streamForm, isList),
            ]
        ),
        ContractCase(
            "connection/kept-for-several-requests",
            [
                Step(
                    .register("\(name: "bob")", "secret").with { $0.keepsConnection = true },
                    .account("bob", "\(name: "bob")")
                ),
                Step(.upload(.title).with { $0.keepsConnection = true }, .successful),
                Step(
                    .stream.with { $0.keepsConnection = true },
                    .api(.photoList(containing: ReplyRule.row("photo", .title, "bob", "\(name: "bob")")))
                ),
                Step(.form(["command": "logout"]).with { $0.keepsConnection = true }, .empty),
                Step(.parts(.field("command", "upload")), .error("Authorization required")),
            ]
        ),
    ]
}
