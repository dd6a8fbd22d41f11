extension ContractSuite {
    private static let title: Template = .title
    private static let bob: Template = "\(name: "bob")"
    private static let malfunction = ReplyRule.error("Upload malfunction")
    private static let required = ReplyRule.error("Authorization required")
    private static let noFile = ReplyRule.error("Upload on server problem")
    private static let rowStays = ReplyRule.api(.photoList(containing: "\"title\":\"\(title)\""))
    private static let nothingLost = "A failed upload leaves nothing behind."

    /// A case in which what is sent is no photo: PHP 8 fails on it and leaves row and file, PHP 5 says that all is well.
    private static func noPhoto(_ label: String, _ bytes: [UInt8]) -> ContractCase {
        ContractCase(
            "upload/not-a-photo/\(label)",
            onPurpose: "A photo that cannot be shown must not be listed.",
            [
                .registerBob,
                Step(.upload(title, bytes), malfunction, original: .oneOf([.phpFailure, .successful])),
                .seesNone(title, original: rowStays),
                .seesLogin,
            ]
        )
    }

    /// The command `upload`.
    static let uploadCases: [ContractCase] = [
        ContractCase("upload/as-the-iphone-client-sends-it", [.registerBob, .upload(title), .find(title)]),
        ContractCase(
            "upload/after-a-login",
            [
                .registerBob, Step(.login(bob, "secret"), .account("bob", bob), forgettingCookies: true),
                .upload(title), .find(title),
            ]
        ),
        ContractCase(
            "upload/title-missing",
            [
                .registerBob,
                Step(.parts(.field("command", "upload"), .file("file", Sample.baseline)), .successful),
                Step(.stream, .api(.photoList(containing: ReplyRule.row("photo", "", "bob", bob)))),
            ]
        ),
        ContractCase(
            "upload/longest-title-of-the-legacy-table",
            [
                .registerBob, .upload("\(name: "t")\(String(repeating: "t", count: 75))"),
                .find("\(name: "t")\(String(repeating: "t", count: 75))"),
            ]
        ),
        ContractCase(
            "upload/title-too-long",
            onPurpose: Reason.databaseError,
            [
                .registerBob,
                Step(
                    .upload("\(title)\(String(repeating: "t", count: 1000))"),
                    .error("Upload database problem.Database error"),
                    original: .errorOrFailure("Upload database problem.Database error")
                ),
                Step(.stream, .api(.photoListWithout("\(title)"))),
            ]
        ),
        ContractCase(
            "upload/title-as-an-array",
            onPurpose: Reason.robustness,
            [
                .registerBob,
                Step(
                    .parts(
                        .field("command", "upload"),
                        .field("title[]", title),
                        .file("file", Sample.baseline)
                    ),
                    .successful,
                    original: .oneOf([.phpFailure, .successful])
                ),
            ]
        ),
        ContractCase(
            "upload/same-title-twice",
            [
                .registerBob, .upload(title), .find(title, "p1"), .upload(title),
                Step(
                    .stream,
                    .api(
                        .photoList(
                            containing: """
                                \(ReplyRule.row("p2", title, "bob", bob)),\(ReplyRule.row("p1", title, "bob", bob))
                                """
                        )
                    )
                ),
            ]
        ),
        ContractCase("upload/nobody-is-logged-in", [Step(.upload(title), required), .seesNone(title)]),
        ContractCase(
            "upload/session-comes-before-the-file",
            [Step(.parts(.field("command", "upload"), .file("file", [], filename: "")), required)]
        ),
        ContractCase(
            "upload/session-comes-before-a-missing-file",
            [Step(.parts(.field("command", "upload")), required)]
        ),
        ContractCase(
            "upload/urlencoded-has-no-file",
            onPurpose: nothingLost,
            [
                .registerBob,
                Step(.form(["command": "upload", "title": title, "file": "x"]), noFile),
                .seesNone(title, original: rowStays),
            ]
        ),
        ContractCase(
            "upload/no-file",
            onPurpose: nothingLost,
            [
                .registerBob,
                Step(.parts(.field("command", "upload"), .field("title", title)), noFile),
                .seesNone(title, original: rowStays),
            ]
        ),
        ContractCase(
            "upload/file-error-comes-before-the-row",
            [
                .registerBob,
                Step(
                    .parts(
                        .field("command", "upload"),
                        .field("title", "\(title)\(String(repeating: "t", count: 1000))"),
                        .file("file", [], filename: "")
                    ),
                    malfunction
                ),
            ]
        ),
        noPhoto("text", Array("This is no photo.".utf8)),
        noPhoto("empty", []),
        noPhoto("gif", Sample.gif),
        noPhoto("first-bytes-of-a-jpeg", [0xff, 0xd8, 0xff, 0xe0]),
        noPhoto("cut-before-its-scan", Sample.headless),
        noPhoto("script", Array("<?php echo 1;".utf8)),
        noPhoto("absurdly-large", Sample.absurdlyLarge),
        ContractCase(
            "upload/file-under-another-name",
            onPurpose: "A client of the same family names the part after the file.",
            [
                .registerBob,
                Step(
                    .parts(
                        .field("command", "upload"),
                        .field("title", title),
                        .file("MyImage.jpg", Sample.baseline, filename: "MyImage.jpg")
                    ),
                    .successful,
                    original: noFile
                ),
                Step(
                    .stream,
                    .api(.photoList(containing: ReplyRule.row("photo", title, "bob", bob))),
                    original: rowStays
                ),
            ]
        ),
        ContractCase(
            "upload/two-at-once",
            [
                .registerBob,
                Step(.upload(title), .successful, race: Step.Race(copies: 2, winners: 2, rest: .successful)),
                Step(
                    .stream,
                    .api(
                        .photoList(
                            containing: """
                                \(ReplyRule.row("p2", title, "bob", bob)),\(ReplyRule.row("p1", title, "bob", bob))
                                """
                        )
                    )
                ),
            ]
        ),
    ]
}
