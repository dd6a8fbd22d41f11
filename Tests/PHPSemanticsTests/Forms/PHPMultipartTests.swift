import PHPSemantics
import Testing

/// The situations of PHP's own tests `tests/basic/rfc1867_*.phpt`, and of those beside them that concern multipart
/// bodies, with what PHP 8.2 makes of them.
///
/// Left out is `rfc1867_file_upload_disabled`, since this backend cannot do without uploads.
@Suite struct PHPMultipartTests {
    @Test(arguments: cases.inBothLineEnds)
    func yieldsWhatPHPYields(_ test: FormCase) {
        check(test)
    }

    @Test(arguments: cases.inBothLineEnds)
    func cutsMakeNoDifference(_ test: FormCase) {
        checkCuts(test)
    }

    static let cases: [FormCase] = anonymousAndArrays + boundaries + damaged + limits + quoting

    private static let type = "multipart/form-data; boundary=----Edge42"

    private static let anonymousAndArrays = [
        FormCase(
            origin: "rfc1867_anonymous_upload: files without a name are numbered",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                "Content-Disposition: form-data; filename=\"one.txt\"\nContent-Type: text/x-one\n\nA",
                "Content-Disposition: form-data; filename=\"two.txt\"\nContent-Type: text/x-two\n\nB"
            ),
            files: [
                .init(name: "0", fileName: "one.txt", contentType: "text/x-one", content: "A"),
                .init(name: "1", fileName: "two.txt", contentType: "text/x-two", content: "B"),
            ]
        ),
        FormCase(
            origin: "rfc1867_array_upload: names with brackets make an array",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                file("pics[]", "one.txt", "A", type: "text/x-one"),
                file("pics[2]", "two.txt", "B", type: "text/x-two"),
                file("pics[]", "three.txt", "C", type: "text/x-three")
            ),
            files: [
                .init(name: "pics", isArray: true, fileName: "one.txt", contentType: "text/x-one", content: "A"),
                .init(name: "pics", isArray: true, fileName: "two.txt", contentType: "text/x-two", content: "B"),
                .init(name: "pics", isArray: true, fileName: "three.txt", contentType: "text/x-three", content: "C"),
            ]
        ),
        FormCase(
            origin: "rfc1867_multiple_webkitdirectory: directories are dropped from file names",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                file("tree[]", "top/below/two.txt", "2", type: "text/plain"),
                file("tree[]", "top/one.txt", "1", type: "text/plain")
            ),
            files: [
                .init(name: "tree", isArray: true, fileName: "two.txt", contentType: "text/plain", content: "2"),
                .init(name: "tree", isArray: true, fileName: "one.txt", contentType: "text/plain", content: "1"),
            ]
        ),
        FormCase(
            origin: "021 (bug 37276): a field and a file that ends with an empty line",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                field("sender", "somebody"),
                file("pics", "bug.txt", "content\n", type: "text/plain")
            ),
            fields: ["sender": "somebody"],
            files: [.init(name: "pics", fileName: "bug.txt", contentType: "text/plain", content: "content\n")]
        ),
    ]

    private static let boundaries = [
        FormCase(
            origin: "rfc1867_boundary_1: a boundary in quotes",
            contentType: "multipart/form-data; boundary=\"--------quoted\"",
            body: multipartBody("--------quoted", field("word", "1")),
            fields: ["word": "1"]
        ),
        FormCase(
            origin: "rfc1867_boundary_2: a boundary ends at a comma",
            contentType: "multipart/form-data; boundary=--------first, second",
            body: multipartBody("--------first", field("word", "1")),
            fields: ["word": "1"]
        ),
        FormCase(
            origin: "rfc1867_invalid_boundary: the opening quote is never closed",
            contentType: "multipart/form-data; boundary=\"open",
            body: multipartBody("open", field("word", "1"))
        ),
        FormCase(
            origin: "rfc1867_missing_boundary: no boundary",
            contentType: "multipart/form-data",
            body: multipartBody("----Edge42", field("word", "1"))
        ),
        FormCase(
            origin: "rfc1867_missing_boundary_2: the body ends within a file",
            contentType: type,
            body: "------Edge42\n" + file("pic", "pic.txt", "1\n", type: "text/plain"),
            files: [.init(name: "pic", fileName: "pic.txt", contentType: "text/plain", status: .partial, content: "1")]
        ),
        FormCase(
            origin: "030 (bug 55504): a boundary ends at a semicolon",
            contentType: "multipart/form-data; boundary=Short; charset=iso-8859-1",
            body: multipartBody("Short", field("word", "abc")),
            fields: ["word": "abc"]
        ),
        FormCase(
            origin: "031 (bug 55504): three fields after such a boundary",
            contentType: "multipart/form-data; boundary=Short; charset=iso-8859-1",
            body: multipartBody("Short", field("a", "abc"), field("b", "more of it"), field("c", "yet more of it")),
            fields: ["a": "abc", "b": "more of it", "c": "yet more of it"]
        ),
        FormCase(
            origin: "032 (bug 18792): a boundary ends at a comma before charset",
            contentType: "multipart/form-data; boundary=Short, charset=iso-8859-1",
            body: multipartBody("Short", field("word", "abc")),
            fields: ["word": "abc"]
        ),
    ]

    private static let damaged = [
        FormCase(
            origin: "rfc1867_garbled_mime_headers: neither name nor file name; PHP gives the rest up",
            contentType: type,
            body: multipartBody("----Edge42", "Content-Disposition: form-data\n\n", field("later", "1"))
        ),
        FormCase(
            origin: "rfc1867_malicious_input: something follows the brackets of a file's name",
            contentType: type,
            body: multipartBody("----Edge42", file("pics[]more", "pic.txt", "1", type: "text/plain"))
        ),
        FormCase(
            origin: "rfc1867_empty_upload: an empty field, and an empty file name",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                field("empty", ""),
                file("one", "one.txt", "1", type: "text/x-one"),
                file("two", "", "", type: "text/x-two"),
                file("three", "three.txt", "3", type: "text/x-three")
            ),
            fields: ["empty": ""],
            files: [
                .init(name: "one", fileName: "one.txt", contentType: "text/x-one", content: "1"),
                .init(name: "two", fileName: "", contentType: "text/x-two", status: .noFile),
                .init(name: "three", fileName: "three.txt", contentType: "text/x-three", content: "3"),
            ]
        ),
    ]

    private static let limits = [
        FormCase(
            origin: "rfc1867_max_file_size: the field MAX_FILE_SIZE, and a file name with both kinds of slashes",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                field("MAX_FILE_SIZE", "1"),
                file("one", "one.txt", "1", type: "text/plain"),
                file("two", "two.txt", "22", type: "text/plain"),
                file("three", "C:\\a\\b/three.txt", "3", type: "text/plain;")
            ),
            fields: ["MAX_FILE_SIZE": "1"],
            files: [
                .init(name: "one", fileName: "one.txt", contentType: "text/plain", content: "1"),
                .init(
                    name: "two",
                    fileName: "two.txt",
                    contentType: "text/plain",
                    status: .overFormSize,
                    content: "2"
                ),
                .init(name: "three", fileName: "three.txt", contentType: "text/plain", content: "3"),
            ]
        ),
        FormCase(
            origin: "rfc1867_post_max_filesize: a file over the limit for files",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                file("one", "one.txt", "1"),
                file("two", "two.txt", "22"),
                file("three", "three.txt", "3")
            ),
            limits: limits(fileBytes: 1),
            files: [
                .init(name: "one", fileName: "one.txt", content: "1"),
                .init(name: "two", fileName: "two.txt", status: .overIniSize, content: "2"),
                .init(name: "three", fileName: "three.txt", content: "3"),
            ]
        ),
        FormCase(
            origin: "rfc1867_post_max_size: a body over the limit for bodies",
            contentType: type,
            body: multipartBody("----Edge42", field("word", "1")),
            limits: limits(bodyBytes: 1),
            outcome: .tooLarge
        ),
        FormCase(
            origin: "rfc1867_max_file_uploads_empty_files: empty file names do not count as files",
            contentType: type,
            body: multipartBody(
                "----Edge42",
                file("a", "", ""),
                file("b", "", "33"),
                file("c", "c.txt", ""),
                file("d", "d.txt", "1"),
                file("e", "e.txt", "beyond")
            ),
            limits: limits(files: 2),
            files: [
                .init(name: "a", fileName: "", status: .noFile),
                .init(name: "b", fileName: "", status: .noFile),
                .init(name: "c", fileName: "c.txt"),
                .init(name: "d", fileName: "d.txt", content: "1"),
            ]
        ),
    ]

    private static func limits(bodyBytes: Int? = nil, fileBytes: Int? = nil, files: Int? = nil) -> FormLimits {
        var limits = FormLimits()
        limits.bodyBytes = bodyBytes ?? limits.bodyBytes
        limits.fileBytes = fileBytes
        limits.files = files ?? limits.files
        return limits
    }

    /// 028: a name without quotes, in either kind of quotes, and with backslashes before the one, the other or neither.
    private static let quoting = [
        (#"word"#, "word"), (#"'word'"#, "word"), (#""word""#, "word"),
        (#"wo\rd"#, #"wo\rd"#), (#"wo\\rd"#, #"wo\rd"#), (#"wo\'rd"#, #"wo\'rd"#), (#"wo\"rd"#, #"wo\"rd"#),
        (#"'wo\rd'"#, #"wo\rd"#), (#"'wo\\rd'"#, #"wo\rd"#), (#"'wo\'rd'"#, #"wo'rd"#), (#"'wo\"rd'"#, #"wo\"rd"#),
        (#""wo\rd""#, #"wo\rd"#), (#""wo\\rd""#, #"wo\rd"#), (#""wo\'rd""#, #"wo\'rd"#), (#""wo\"rd""#, #"wo"rd"#),
    ].map { sent, name in
        FormCase(
            origin: "028: name=\(sent)",
            contentType: type,
            body: multipartBody("----Edge42", "Content-Disposition: form-data; name=\(sent)\n\nvalue"),
            fields: [name: "value"]
        )
    }
}
