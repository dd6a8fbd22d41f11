extension ContractSuite {
    private static let bob: Template = "\(name: "bob")"

    private static func byID(_ value: Template) -> ContractRequest {
        .form(["command": "stream", "IdPhoto": value])
    }

    /// The command `stream`.
    static let streamCases: [ContractCase] = [
        ContractCase(
            "stream/without-a-session",
            [Step(.stream.with { $0.cookies = .none }, .api(.photoListWithout("\(name: "x")")))]
        ),
        ContractCase(
            "stream/urlencoded",
            [Step(.form(["command": "stream"]), .api(.photoListWithout("\(name: "x")")))]
        ),
        ContractCase("stream/shows-an-upload", [.registerBob, .upload(.title), .find(.title)]),
        ContractCase(
            "stream/newest-first",
            [
                .registerBob, .upload("\(name: "first")"), .upload("\(name: "second")"),
                .find("\(name: "first")", "p1"), .find("\(name: "second")", "p2"),
                Step(
                    .stream,
                    .api(
                        .photoList(
                            containing: """
                                \(ReplyRule.row("p2", "\(name: "second")", "bob", bob)),\
                                \(ReplyRule.row("p1", "\(name: "first")", "bob", bob))
                                """
                        )
                    )
                ),
            ]
        ),
        ContractCase(
            "stream/one-photo",
            [
                .registerBob, .upload(.title), .find(.title),
                Step(byID("\(id: "photo")"), .photo("photo", .title, "bob", bob)),
            ]
        ),
        ContractCase(
            "stream/one-photo-in-multipart",
            [
                .registerBob, .upload(.title), .find(.title),
                Step(
                    .parts(.field("command", "stream"), .field("IdPhoto", "\(id: "photo")")),
                    .photo("photo", .title, "bob", bob),
                    forgettingCookies: true
                ),
            ]
        ),
        ContractCase("stream/unknown-photo", [Step(byID("2147483647"), .noPhotos)]),
        ContractCase(
            "stream/fifty-at-most",
            [.registerBob] + (1...51).map { number in .upload("\(name: "title")-\("\(number)")") } + [
                Step(.stream, .api(.photoCount(50))),
                .find("\(name: "title")-51"),
                Step(
                    .stream,
                    .api(.photoListWithout("\"title\":\"\(name: "title")-1\""))
                ),
            ]
        ),
    ]
}
