extension ContractSuite {
    private static let title: Template = .title
    private static let malfunction = ReplyRule.error("Upload malfunction")
    private static let noFile = ReplyRule.error("Upload on server problem")

    private static func upload(_ parts: Multipart.Part...) -> [Multipart.Part] {
        [.field("command", "upload"), .field("title", title)] + parts
    }

    /// A case in which an upload succeeds and the photo is served as it was sent.
    private static func accepted(
        _ label: String,
        _ multipart: Multipart,
        photo: [UInt8] = Sample.baseline
    ) -> ContractCase {
        ContractCase(
            "multipart/file/\(label)",
            [
                .registerBob, Step(.multipart(multipart), .successful), .find(title),
                Step(
                    .get("upload/\(id: "photo").jpg"),
                    .reply(status: 200, headers: [], body: .exactly(Template(bytes: photo)))
                ),
            ]
        )
    }

    /// A case in which an upload is refused.
    ///
    /// `leavesRow` where the original has already inserted the row by then.
    private static func refused(
        _ label: String,
        _ expected: ReplyRule,
        leavesRow: Bool = false,
        _ multipart: Multipart
    ) -> ContractCase {
        ContractCase(
            "multipart/file/\(label)",
            onPurpose: leavesRow ? "A photo that is not there must not be listed." : nil,
            [
                .registerBob, Step(.multipart(multipart), expected),
                .seesNone(
                    title,
                    original: leavesRow ? .api(.photoList(containing: "\"title\":\"\(title)\"")) : nil
                ),
            ]
        )
    }

    private static func file(_ headers: Template...) -> Multipart.Part {
        Multipart.Part(headers: headers, contents: Template(bytes: Sample.baseline))
    }

    /// Multipart bodies with files.
    static let multipartFileCases: [ContractCase] = [
        accepted("crlf", Multipart(parts: upload(.file("file", Sample.baseline)))),
        accepted("lf-line-ends", Multipart(parts: upload(.file("file", Sample.baseline)), lineEnd: "\n")),
        accepted(
            "before-the-fields",
            Multipart(
                parts: [.file("file", Sample.baseline), .field("title", title), .field("command", "upload")]
            )
        ),
        accepted(
            "name-unquoted",
            Multipart(parts: upload(file("Content-Disposition: form-data; name=file; filename=photo.jpg")))
        ),
        accepted(
            "headers-in-capitals",
            Multipart(
                parts: upload(
                    file(
                        "CONTENT-DISPOSITION: FORM-DATA; NAME=\"file\"; FILENAME=\"photo.jpg\"",
                        "CONTENT-TYPE: IMAGE/JPEG"
                    )
                )
            )
        ),
        accepted(
            "file-name-before-name",
            Multipart(parts: upload(file("Content-Disposition: form-data; filename=\"photo.jpg\"; name=\"file\"")))
        ),
        accepted("windows-path", Multipart(parts: upload(.file("file", Sample.baseline, filename: "C:\\dir\\p.jpg")))),
        accepted("unix-path", Multipart(parts: upload(.file("file", Sample.baseline, filename: "../../p.jpg")))),
        accepted("name-of-a-script", Multipart(parts: upload(.file("file", Sample.baseline, filename: "p.php")))),
        accepted(
            "file-name-with-escaped-quotes",
            Multipart(parts: upload(.file("file", Sample.baseline, filename: "a \\\"b\\\".jpg")))
        ),
        accepted(
            "file-name-in-utf-8",
            Multipart(parts: upload(.file("file", Sample.baseline, filename: "\u{e9}.jpg")))
        ),
        accepted(
            "type-missing",
            Multipart(parts: upload(file("Content-Disposition: form-data; name=\"file\"; filename=\"p.jpg\"")))
        ),
        accepted(
            "type-wrong",
            Multipart(parts: upload(.file("file", Sample.baseline, type: "text/plain")))
        ),
        accepted(
            "last-boundary-without-hyphens",
            Multipart(parts: upload(.file("file", Sample.baseline)), ending: .withoutHyphens)
        ),
        accepted(
            "two-the-last-counts",
            Multipart(parts: upload(.file("file", Sample.grayscale), .file("file", Sample.baseline)))
        ),
        accepted(
            "more-than-twenty-those-beyond-ignored",
            Multipart(
                parts: upload(.file("file", Sample.baseline)) + (1...19).map { .file("x\($0)", Sample.baseline) }
                    + [.file("file", Sample.grayscale)]
            )
        ),
        accepted(
            "max-file-size-large-enough",
            Multipart(
                parts: [.field("MAX_FILE_SIZE", "100000")] + upload(.file("file", Sample.baseline))
            )
        ),
        accepted(
            "max-file-size-zero",
            Multipart(parts: [.field("MAX_FILE_SIZE", "0")] + upload(.file("file", Sample.baseline)))
        ),
        accepted(
            "max-file-size-after-the-file",
            Multipart(parts: upload(.file("file", Sample.baseline), .field("MAX_FILE_SIZE", "10")))
        ),
        accepted(
            "line-ends-and-hyphens-inside",
            Multipart(parts: upload(.file("file", Sample.awkward))),
            photo: Sample.awkward
        ),
        refused(
            "body-ends-in-the-file",
            malfunction,
            Multipart(parts: upload(.file("file", Sample.baseline)), ending: .missing)
        ),
        refused("file-name-empty", malfunction, Multipart(parts: upload(.file("file", [], filename: "")))),
        refused(
            "file-name-empty-with-contents",
            malfunction,
            Multipart(parts: upload(.file("file", Sample.baseline, filename: "")))
        ),
        refused(
            "no-file-name-is-a-field",
            noFile,
            leavesRow: true,
            Multipart(parts: upload(file("Content-Disposition: form-data; name=\"file\"")))
        ),
        refused("no-such-part", noFile, leavesRow: true, Multipart(parts: upload())),
        refused("array", malfunction, Multipart(parts: upload(.file("file[]", Sample.baseline)))),
        refused(
            "max-file-size-too-small",
            malfunction,
            Multipart(parts: [.field("MAX_FILE_SIZE", "10")] + upload(.file("file", Sample.baseline)))
        ),
    ]
}
