extension ContractSuite {
    private static let title: Template = .title

    private static func served(_ body: BodyRule) -> ReplyRule {
        .reply(status: 200, headers: [.equals("Content-Type", "image/jpeg")], body: body)
    }

    private static let photo = ContractRequest.get("upload/\(id: "photo").jpg")
    private static let thumbnail = ContractRequest.get("upload/\(id: "photo")-thumb.jpg")

    /// A case in which a photo is served as it was sent, and its thumbnail as a square JPEG.
    private static func kept(_ label: String, _ bytes: [UInt8]) -> ContractCase {
        ContractCase(
            "photo/\(label)",
            [
                .registerBob, .upload(title, bytes), .find(title),
                Step(photo, served(.exactly(Template(bytes: bytes)))),
                Step(thumbnail, served(.squareJPEG)),
            ]
        )
    }

    /// A case that looks at what the thumbnail shows.
    private static func shown(
        _ label: String,
        _ bytes: [UInt8],
        _ reason: String?,
        _ here: [BodyRule.Spot],
        original: [BodyRule.Spot]?
    ) -> ContractCase {
        ContractCase(
            "thumbnail/\(label)",
            onPurpose: reason,
            [
                .registerBob, .upload(title, bytes), .find(title),
                Step(photo, served(.exactly(Template(bytes: bytes)))),
                Step(
                    thumbnail,
                    served(.squareJPEGShowing(here)),
                    original: original.map { served(.squareJPEGShowing($0)) }
                ),
            ]
        )
    }

    private static func spot(_ x: Int, _ y: Int, bright: Bool) -> BodyRule.Spot {
        BodyRule.Spot(x: x, y: y, isBright: bright)
    }

    /// Photos and thumbnails as the web server hands them out.
    static let photoCases: [ContractCase] = [
        kept("baseline", Sample.baseline), kept("progressive", Sample.progressive),
        kept("grayscale", Sample.grayscale), kept("cmyk", Sample.cmyk), kept("cut-in-its-scan", Sample.truncated),
        kept("bytes-after-the-picture", Sample.withTrailer),
        kept("300-kilobytes", Sample.heavy(comments: 5)),
        ContractCase(
            "photo/seen-without-a-session",
            [
                .registerBob, .upload(title), .find(title),
                Step(
                    photo.with { $0.cookies = .none },
                    served(.exactly(Template(bytes: Sample.baseline))),
                    forgettingCookies: true
                ),
            ]
        ),
        ContractCase(
            "photo/head",
            [
                .registerBob, .upload(title), .find(title),
                Step(
                    photo.with { $0.method = "HEAD" },
                    .reply(
                        status: 200,
                        headers: [
                            .equals("Content-Type", "image/jpeg"),
                            .equals("Content-Length", "\(Sample.baseline.count)"),
                        ],
                        body: .exactly("")
                    )
                ),
            ]
        ),
        ContractCase(
            "photo/unknown",
            [Step(.get("upload/2147483647.jpg"), .reply(status: 404, headers: [], body: .anything))]
        ),
        shown(
            "upright",
            Sample.upright,
            nil,
            [spot(10, 50, bright: false), spot(90, 50, bright: true)],
            original: nil
        ),
        shown(
            "rotated-by-exif",
            Sample.rotated,
            "Users see their photos upright everywhere else.",
            [spot(50, 10, bright: false), spot(50, 90, bright: true), spot(10, 90, bright: true)],
            original: [spot(10, 50, bright: false), spot(90, 50, bright: true), spot(90, 10, bright: true)]
        ),
        shown(
            "wide",
            Sample.wide,
            "A squashed photo is no likeness; its middle is.",
            [spot(10, 50, bright: true), spot(50, 50, bright: true), spot(90, 50, bright: true)],
            original: [spot(10, 50, bright: false), spot(50, 50, bright: true), spot(90, 50, bright: false)]
        ),
        becomesJPEG("png-becomes-a-jpeg", Sample.png),
        becomesJPEG("transparent-png-becomes-a-jpeg", Sample.transparentPNG),
    ]

    private static func becomesJPEG(_ label: String, _ bytes: [UInt8]) -> ContractCase {
        ContractCase(
            "photo/\(label)",
            onPurpose: "A client of the same family sends PNG.",
            [
                .registerBob,
                Step(
                    .parts(
                        .field("command", "upload"),
                        .field("title", title),
                        .file("file", bytes, filename: "MyImage.png", type: "image/png")
                    ),
                    .successful,
                    original: .oneOf([.phpFailure, .successful])
                ),
                .find(title),
                Step(photo, served(.jpeg), original: served(.exactly(Template(bytes: bytes)))),
                Step(
                    thumbnail,
                    served(.squareJPEG),
                    original: .reply(status: 404, headers: [], body: .anything)
                ),
            ]
        )
    }
}
