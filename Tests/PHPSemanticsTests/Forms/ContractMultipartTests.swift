import PHPSemantics
import Testing

/// The rows of the contract's table on multipart bodies, and what else PHP 8.2 was seen to do.
@Suite struct ContractMultipartTests {
    @Test(arguments: cases.inBothLineEnds)
    func yieldsWhatPHPYields(_ test: FormCase) {
        check(test)
    }

    @Test(arguments: cases.inBothLineEnds)
    func cutsMakeNoDifference(_ test: FormCase) {
        checkCuts(test)
    }

    static let cases: [FormCase] = surroundings + headers + types + files + content + ends

    private static let type = "multipart/form-data; boundary=Edge"
    private static let login: [String: FormCase.Value] = ["command": "login"]
    private static let photo = FormCase.File(name: "file", fileName: "p.jpg", content: "JPEG")

    private static func row(
        _ origin: String,
        type: String = type,
        _ body: String,
        _ fields: [String: FormCase.Value] = [:],
        _ files: [FormCase.File] = []
    ) -> FormCase {
        FormCase(origin: origin, contentType: type, body: body, fields: fields, files: files)
    }

    private static let surroundings = [
        row("preamble", "Some words\n\n" + multipartBody("Edge", field("command", "login")), login),
        row("leading line end", "\n" + multipartBody("Edge", field("command", "login")), login),
        row("epilogue", multipartBody("Edge", field("command", "login")) + "More words\n", login),
        row(
            "a boundary in the epilogue begins again",
            multipartBody("Edge", field("command", "login")) + multipartBody("Edge", field("a", "1")),
            ["command": "login", "a": "1"]
        ),
        row(
            "the iPhone client's boundary",
            type: "multipart/form-data; boundary=Boundary+0xAbCdEfGbOuNdArY",
            multipartBody("Boundary+0xAbCdEfGbOuNdArY", field("command", "login")),
            login
        ),
        row("no parts", "--Edge--\n"),
        row("an empty body", ""),
        row("a body of another boundary", multipartBody("Verge", field("command", "login"))),
    ]

    private static let headers = [
        row(
            "header names in any case",
            "--Edge\ncONTENT-dISPOSITION: form-data; NAME=\"command\"\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "no white space, or much",
            "--Edge\nContent-Disposition:  \t form-data;name=command\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "a folded header",
            "--Edge\nContent-Disposition: form-data;\n name=\"command\"\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "a line without a colon continues the header",
            "--Edge\nContent-Disposition: form-data;\nname=\"command\"\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "a colon after white space is not a header's",
            "--Edge\nContent-Disposition : form-data; name=a\n\n1\n--Edge--\n"
        ),
        row(
            "the first of two headers counts",
            "--Edge\nContent-Disposition: x; name=command\nContent-Disposition: x; name=a\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "the last of two parameters counts",
            "--Edge\nContent-Disposition: x; name=a; name=command\n\nlogin\n--Edge--\n",
            login
        ),
        row("the type may be missing", "--Edge\nContent-Disposition: name=command\n\nlogin\n--Edge--\n", login),
        row("a semicolon in quotes", "--Edge\nContent-Disposition: x; name=\"a;b=c\"\n\n1\n--Edge--\n", ["a;b=c": "1"]),
        row(
            "a header ends at NUL",
            "--Edge\nContent-Disposition: x; name=\"command\u{0}x\"\n\nlogin\n--Edge--\n",
            login
        ),
        row(
            "a line that begins with NUL ends the header",
            "--Edge\nContent-Disposition: x; name=\"a\"\n\u{0}\nX: y\n\n1\n--Edge--\n",
            ["a": "X: y\n\n1"]
        ),
        row(
            "a part without Content-Disposition",
            "--Edge\nX: y\n\n1\n--Edge\n" + field("command", "login") + "\n--Edge--\n",
            login
        ),
        row(
            "Content-Transfer-Encoding is ignored",
            "--Edge\nContent-Disposition: form-data; name=\"a\"\nContent-Transfer-Encoding: base64\n\nYQ==\n--Edge--\n",
            ["a": "YQ=="]
        ),
        row(
            "names are changed as in the other type",
            multipartBody(
                "Edge",
                field("a.b c", "1"),
                field("d[]", "2"),
                field("e[f", "3"),
                field("", "4"),
                field(" g", "5")
            ),
            ["a_b_c": "1", "d": .array, "e_f": "3", "g": "5"]
        ),
    ]

    private static let types =
        [
            "multipart/form-data; boundary=\"Edge\"", "multipart/form-data; charset=utf-8; boundary=Edge",
            "multipart/form-data, boundary=Edge", "Multipart/Form-Data; boundary=Edge",
            "multipart/form-data; BOUNDARY=Edge",
            "multipart/form-data boundary=Edge", "multipart/form-data; boundary=Edge; charset=utf-8",
            "multipart/form-data; boundary=Edge,x", "multipart/form-data;boundary=\"Edge\";x",
            "multipart/form-data; xboundaryx =Edge",
        ].map { row($0, type: $0, multipartBody("Edge", field("command", "login")), login) }
        + [
            "multipart/form-data; boundary=\"Edge", "multipart/form-data; boundary", "multipart/form-data",
            "multipart/mixed; boundary=Edge",
            "multipart/form-datax; boundary=Edge", "application/json; boundary=Edge",
            "multipart/form-data; boundary=Edg",
            "multipart/form-data; boundary=Edge ;", "multipart/form-data; Boundary=Edge; boundary=x",
        ].map { row($0, type: $0, multipartBody("Edge", field("command", "login"))) } + [
            row(
                "a boundary with a space",
                type: "multipart/form-data; boundary=\"a b\"",
                multipartBody("a b", field("command", "login")),
                login
            ),
            row(
                "an empty boundary",
                type: "multipart/form-data; boundary=",
                multipartBody("", field("command", "login")),
                login
            ),
            row(
                "a boundary of dashes",
                type: "multipart/form-data; boundary=----",
                multipartBody("----", field("command", "login")),
                login
            ),
        ]

    private static let files = [
        row(
            "a file among fields",
            multipartBody("Edge", field("command", "upload"), file("file", "p.jpg", "JPEG"), field("title", "+%41")),
            ["command": "upload", "title": "+%41"],
            [photo]
        ),
        row(
            "a file's directories are dropped",
            multipartBody(
                "Edge",
                file("file", #"C:\dir\p.jpg"#, "JPEG"),
                file("file", "dir/p.jpg", "JPEG"),
                file("file", #"a/b\\p.jpg"#, "JPEG"),
                file("file", #"a\b/p.jpg"#, "JPEG")
            ),
            [:],
            [photo, photo, photo, photo]
        ),
        row(
            "an empty file name",
            multipartBody("Edge", file("file", "", "JPEG")),
            [:],
            [.init(name: "file", fileName: "", status: .noFile)]
        ),
        row(
            "a file name that is only directories",
            multipartBody("Edge", file("file", "a/", "JPEG")),
            [:],
            [.init(name: "file", fileName: "", content: "JPEG")]
        ),
        row("a part named file without a file name", multipartBody("Edge", field("file", "JPEG")), ["file": "JPEG"]),
        row(
            "a file name without a name",
            multipartBody("Edge", "Content-Disposition: x; filename=p.jpg\n\nJPEG"),
            [:],
            [.init(name: "0", fileName: "p.jpg", content: "JPEG")]
        ),
        row(
            "another name",
            multipartBody("Edge", file("MyImage.png", "p.jpg", "JPEG", type: "image/png")),
            [:],
            [.init(name: "MyImage_png", fileName: "p.jpg", contentType: "image/png", content: "JPEG")]
        ),
        row(
            "a name with brackets",
            multipartBody("Edge", file("file[]", "p.jpg", "JPEG")),
            [:],
            [.init(name: "file", isArray: true, fileName: "p.jpg", content: "JPEG")]
        ),
        row(
            "an extended file name is none",
            multipartBody("Edge", "Content-Disposition: x; name=a; filename*=UTF-8''p.jpg\n\n1"),
            ["a": "1"]
        ),
        row(
            "two files of one name",
            multipartBody("Edge", file("file", "p.jpg", "JPEG"), file("file", "q.jpg", "other")),
            [:],
            [photo, .init(name: "file", fileName: "q.jpg", content: "other")]
        ),
        row(
            "a field and a file of one name",
            multipartBody("Edge", field("file", "1"), file("file", "p.jpg", "JPEG"), field("file", "2")),
            ["file": "2"],
            [photo]
        ),
        row(
            "MAX_FILE_SIZE after the file means nothing",
            multipartBody("Edge", file("file", "p.jpg", "JPEG"), field("MAX_FILE_SIZE", "1")),
            ["MAX_FILE_SIZE": "1"],
            [photo]
        ),
        row(
            "MAX_FILE_SIZE in lower case, with white space and an end",
            multipartBody("Edge", field("max_file_size", " +3x"), file("file", "p.jpg", "JPEG")),
            ["max_file_size": " +3x"],
            [.init(name: "file", fileName: "p.jpg", status: .overFormSize, content: "JPE")]
        ),
        row(
            "MAX_FILE_SIZE of zero or without a number means nothing",
            multipartBody(
                "Edge",
                field("MAX_FILE_SIZE", "1"),
                field("MAX_FILE_SIZE", "x"),
                file("file", "p.jpg", "JPEG")
            ),
            ["MAX_FILE_SIZE": "x"],
            [photo]
        ),
        row(
            "MAX_FILE_SIZE below zero allows empty files only",
            multipartBody("Edge", field("MAX_FILE_SIZE", "-1"), file("a", "a", ""), file("b", "b", "1")),
            ["MAX_FILE_SIZE": "-1"],
            [.init(name: "a", fileName: "a"), .init(name: "b", fileName: "b", status: .overFormSize)]
        ),
        row(
            "after a file that PHP skips it skips all",
            multipartBody("Edge", file("a]", "a", "1"), file("file", "p.jpg", "JPEG"), field("command", "login")),
            login
        ),
        row(
            "what comes after a file that is too large",
            multipartBody(
                "Edge",
                field("MAX_FILE_SIZE", "2"),
                file("file", "p", "JPEG\n--Edg\n--Edgex\nmore"),
                field("command", "login")
            ),
            ["MAX_FILE_SIZE": "2", "command": "login"],
            [.init(name: "file", fileName: "p", status: .overFormSize, content: "JP")]
        ),
    ]

    private static let content = [
        row("an empty value", multipartBody("Edge", field("a", "")), ["a": ""]),
        row("line ends in a value", multipartBody("Edge", field("a", "\n1\n\n2\n")), ["a": "\n1\n\n2\n"]),
        row(
            "carriage returns, of which the last belongs to the delimiter",
            multipartBody("Edge", field("a", "\r1\r\r")),
            ["a": "\r1\r"]
        ),
        row(
            "what is nearly a boundary",
            multipartBody("Edge", field("a", "-\n--\n--E\n--Edg\n -Edge\n--edge --Edge x--Edge\n--Ed--Edge")),
            ["a": "-\n--\n--E\n--Edg\n -Edge\n--edge --Edge x--Edge\n--Ed--Edge"]
        ),
        row(
            "a longer line ends the value, but is no boundary",
            multipartBody("Edge", field("a", "1\n--Edgeways\n" + field("b", "2")), field("command", "login")),
            ["a": "1", "command": "login"]
        ),
        row(
            "a boundary right after the header is content",
            "--Edge\n" + field("a", "--Edge\n" + field("b", "2")) + "\n--Edge--\n",
            ["a": "--Edge\nContent-Disposition: form-data; name=\"b\"\n\n2"]
        ),
        row(
            "NUL and high bytes",
            multipartBody("Edge", file("file", "p", "\u{0}é\u{0}\n")),
            [:],
            [.init(name: "file", fileName: "p", content: "\u{0}é\u{0}\n")]
        ),
    ]

    private static let ends = [
        row("a last boundary without dashes", "--Edge\n" + field("command", "login") + "\n--Edge\n", login),
        row("a boundary at the very end", "--Edge\n" + file("file", "p.jpg", "JPEG") + "\n--Edge", [:], [photo]),
        row("a field without an end", "--Edge\n" + field("command", "login"), login),
        row("a field that ends in half a boundary", "--Edge\n" + field("command", "login\n--Edg"), login),
        row("a field that ends in a line end", "--Edge\n" + field("command", "login\n"), login),
        row("a field that ends in a carriage return", "--Edge\n" + field("command", "login\r"), ["command": "login\r"]),
        row(
            "a file without an end",
            "--Edge\n" + file("file", "p.jpg", "JPEG"),
            [:],
            [.init(name: "file", fileName: "p.jpg", status: .partial, content: "JPEG")]
        ),
        row(
            "a file that ends in half a boundary",
            "--Edge\n" + file("file", "p.jpg", "JPEG\n--E"),
            [:],
            [.init(name: "file", fileName: "p.jpg", status: .partial, content: "JPEG")]
        ),
        row("a header without an end", "--Edge\nContent-Disposition: x; name=a\n", ["a": ""]),
        row("a header line without an end is content", "--Edge\nContent-Disposition: x; name=a\nX: y", ["a": "X: y"]),
        row(
            "a file's header without an end",
            "--Edge\nContent-Disposition: x; name=a; filename=b\n",
            [:],
            [.init(name: "a", fileName: "b", status: .partial)]
        ),
        row("nothing after the boundary", "--Edge\n"),
        row("a boundary without a line end", "--Edge"),
    ]
}
