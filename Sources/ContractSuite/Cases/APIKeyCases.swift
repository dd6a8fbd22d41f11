extension ContractSuite {
    private static let refused = ReplyRule.json("{\"Message\":\"No Access\",\"Reason\":\"\(some: "reason")\"}")

    /// The API-key client on a backend that takes `key`.
    static func apiKeyCases(_ key: String) -> [ContractCase] {
        let bob: Template = "\(name: "bob")"
        let isList = ReplyRule.api(.photoListWithout("no photo has this text"))
        func item(_ label: String, _ steps: [Step]) -> ContractCase {
            ContractCase("api-key/\(label)", group: .apiKey, steps)
        }
        func stream(_ key: Template) -> ContractRequest {
            .form(["command": "stream", "APIKey": key])
        }
        let register = Step(
            .form(["command": "register", "username": bob, "password": "secret", "APIKey": "\(key)"]),
            .account("bob", bob)
        )
        return [
            item("right", [Step(stream("\(key)"), isList)]),
            item("missing", [Step(.form(["command": "stream"]), refused)]),
            item("empty", [Step(stream(""), refused)]),
            item("wrong", [Step(stream("not-\(key)"), refused)]),
            item("cut-short", [Step(stream("\(String(key.dropLast()))"), refused)]),
            item("longer", [Step(stream("\(key)x"), refused)]),
            item("as-an-array", [Step(.form(["command": "stream", "APIKey[]": "\(key)"]), refused)]),
            item("field-in-another-case", [Step(.form(["command": "stream", "apikey": "\(key)"]), refused)]),
            item(
                "in-the-query-only",
                [
                    Step(
                        .form(["command": "stream"]).with { $0.path = "?APIKey=\(bytes: percentEncoded(key.utf8))" },
                        refused
                    )
                ]
            ),
            item("no-body", [Step(ContractRequest(), refused)]),
            item("unknown-command-without-it", [Step(.form(["command": "x"]), refused)]),
            item("unknown-command-with-it", [Step(.form(["command": "x", "APIKey": "\(key)"]), .empty)]),
            item(
                "register-without-it",
                [
                    Step(.register(bob, "secret"), refused),
                    Step(
                        .form(["command": "login", "username": bob, "password": "secret", "APIKey": "\(key)"]),
                        .error("Authorization failed")
                    ),
                ]
            ),
            item("multipart", [Step(.parts(.field("APIKey", "\(key)"), .field("command", "stream")), isList)]),
            item(
                "upload-named-after-the-file",
                [
                    register,
                    Step(
                        .parts(
                            .field("command", "upload"),
                            .field("title", .title),
                            .field("APIKey", "\(key)"),
                            .file("MyImage.png", Sample.png, filename: "MyImage.png", type: "image/png")
                        ),
                        .successful
                    ),
                    Step(
                        stream("\(key)"),
                        .api(.photoList(containing: ReplyRule.row("photo", .title, "bob", bob)))
                    ),
                    Step(
                        .get("upload/\(id: "photo").jpg"),
                        .reply(status: 200, headers: [.equals("Content-Type", "image/jpeg")], body: .jpeg)
                    ),
                    Step(
                        .get("upload/\(id: "photo")-thumb.jpg"),
                        .reply(status: 200, headers: [.equals("Content-Type", "image/jpeg")], body: .squareJPEG)
                    ),
                ]
            ),
            item(
                "upload-without-it",
                [
                    register, Step(.upload(.title), refused),
                    Step(stream("\(key)"), .api(.photoListWithout("\"title\":\"\(Template.title)\""))),
                ]
            ),
        ]
    }
}
