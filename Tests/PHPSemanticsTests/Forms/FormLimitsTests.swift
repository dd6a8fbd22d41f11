import PHPSemantics
import Testing

/// What is beyond a limit is ignored or makes the whole form too large, wherever the body is cut.
@Suite struct FormLimitsTests {
    private static let urlEncoded = "application/x-www-form-urlencoded"
    private static let multipart = "multipart/form-data; boundary=Edge"

    @Test func defaultsAreThoseOfThePHPSettings() {
        let limits = FormLimits()
        #expect(limits.bodyBytes == 20 * 1024 * 1024)
        #expect(limits.fields == 1000)
        #expect(limits.files == 20)
        #expect(limits.nestingLevels == 64)
    }

    // MARK: Counts

    /// PHP counts a pair only after it has taken it.
    @Test func pairsBeyondTheLimitAreIgnored() {
        let pairs = (0..<1005).map { "k\($0)=\($0)" }.joined(separator: "&")
        let form = ParsedForm(Array(pairs.utf8), contentType: Self.urlEncoded).form
        #expect(form.string("k999") == Array("999".utf8))
        #expect(form.string("k1000") == Array("1000".utf8))
        #expect(form.string("k1001") == nil)
        #expect(form.outcome == .complete)
    }

    @Test func emptyPairsCount() {
        let form = ParsedForm(Array((String(repeating: "&", count: 1001) + "a=1").utf8), contentType: Self.urlEncoded)
            .form
        #expect(form.hasNoFields)
    }

    @Test func fieldsBeyondTheLimitAreIgnored() {
        let parts = (0..<1005).map { "--Edge\n" + field("k\($0)", "\($0)") + "\n" }.joined()
        let form = ParsedForm(Array((parts + "--Edge--\n").utf8), contentType: Self.multipart).form
        #expect(form.string("k999") == Array("999".utf8))
        #expect(form.string("k1000") == nil)
        #expect(form.outcome == .complete)
    }

    /// PHP's `max_multipart_body_parts` is the sum of the two other limits.
    @Test(arguments: [(1015, true), (1019, true), (1020, false)])
    func partsBeyondTheLimitEndTheForm(fields: Int, isFileThere: Bool) {
        let parts = (0..<fields).map { "--Edge\n" + field("k\($0)", "") + "\n" }.joined()
        let body = parts + "--Edge\n" + file("file", "p.jpg", "JPEG") + "\n--Edge--\n"
        #expect((ParsedForm(Array(body.utf8), contentType: Self.multipart).form.file("file") != nil) == isFileThere)
    }

    @Test func filesBeyondTheLimitAreIgnored() {
        let parts = (0..<25).map { "--Edge\n" + file("f\($0)", "p", "1") + "\n" }.joined()
        let body = parts + "--Edge\n" + field("command", "upload") + "\n--Edge--\n"
        let form = ParsedForm(Array(body.utf8), contentType: Self.multipart).form
        #expect(form.files.count == 20)
        #expect(form.file("f19") != nil)
        #expect(form.string("command") == Array("upload".utf8))
    }

    // MARK: Bytes

    /// Each limit, with a body that just fits and one that does not.
    @Test(arguments: [
        (urlEncoded, "a=123", "a=1234"),
        (urlEncoded, "a=%31%32", "a=%31%32%33%34"),
        (multipart, "--Edge\n" + field("a", "123"), "--Edge\n" + field("a", "1234")),
        (multipart, "--Edge\n" + field("a", "123") + "\n--Edge--", "--Edge\n" + field("a", "1234") + "\n--Edge--"),
    ])
    func valuesBeyondTheLimit(type: String, fitting: String, tooLong: String) {
        var limits = FormLimits()
        limits.fieldBytes = 3
        expectLimit(type, fitting: fitting, tooLarge: tooLong, limits)
    }

    @Test(arguments: [
        (urlEncoded, "ab=123&c=4", "ab=123&c=45"),
        (
            multipart, multipartBody("Edge", field("ab", "123"), field("c", "4")),
            multipartBody("Edge", field("ab", "123"), field("c", "45"))
        ),
    ])
    func allFieldsBeyondTheLimit(type: String, fitting: String, tooLong: String) {
        var limits = FormLimits()
        limits.allFieldsBytes = 7
        expectLimit(type, fitting: fitting, tooLarge: tooLong, limits)
    }

    @Test(arguments: [
        (urlEncoded, "a=1234567", "a=12345678"), (multipart, "--Edge--\n", "--Edge--\n\n"),
        ("text/plain", "123456789", "1234567890"),
    ])
    func bodiesBeyondTheLimit(type: String, fitting: String, tooLong: String) {
        var limits = FormLimits()
        limits.bodyBytes = 9
        let fits = FormCase(origin: type, contentType: type, body: fitting, limits: limits)
        #expect(ParsedForm(Array(fitting.utf8), contentType: type, limits: limits).form.outcome == .complete)
        checkCuts(fits)
        let test = FormCase(origin: type, contentType: type, body: tooLong, limits: limits, outcome: .tooLarge)
        check(test)
        checkCuts(test)
    }

    @Test func headersBeyondTheLimit() {
        var limits = FormLimits()
        limits.headerBytes = 40
        expectLimit(
            Self.multipart,
            fitting: "--Edge\nContent-Disposition: x; name=a\nX: 1234567\n\n1\n--Edge--\n",
            tooLarge: "--Edge\nContent-Disposition: x; name=a\nX: 12345678\n\n1\n--Edge--\n",
            limits
        )
    }

    private func expectLimit(_ type: String, fitting: String, tooLarge: String, _ limits: FormLimits) {
        let fits = FormCase(origin: type, contentType: type, body: fitting, limits: limits)
        let form = ParsedForm(Array(fitting.utf8), contentType: type, limits: limits).form
        #expect(form.outcome == .complete)
        #expect(!form.hasNoFields)
        checkCuts(fits)
        let test = FormCase(origin: type, contentType: type, body: tooLarge, limits: limits, outcome: .tooLarge)
        check(test)
        checkCuts(test)
    }

    /// The receiver has to hear of the end of a file that nobody wants any more.
    @Test func filesInProgressEndWhenTheBodyIsTooLarge() {
        var limits = FormLimits()
        limits.bodyBytes = 80
        let body = Array(("--Edge\n" + file("file", "p.jpg", String(repeating: "x", count: 100))).utf8)
        let parsed = ParsedForm(body, contentType: Self.multipart, limits: limits, cuts: [75])
        #expect(parsed.form.outcome == .tooLarge)
        #expect(parsed.receiver.files.map(\.status) == [.partial])
    }

    @Test func parserSaysAtOnceThatTheBodyIsTooLarge() {
        var limits = FormLimits()
        limits.bodyBytes = 3
        var files = IgnoredFiles()
        var parser = FormParser(contentType: Array(Self.urlEncoded.utf8), limits: limits)
        parser.push(Array("a=1".utf8).span, files: &files)
        #expect(!parser.isTooLarge)
        parser.push(Array("2".utf8).span, files: &files)
        #expect(parser.isTooLarge)
    }

    @Test(
        arguments: [
            (urlEncoded, "a=1&bcd=2&cd=3", ["a": "1", "cd": "3"]),
            (
                multipart, multipartBody("Edge", field("a", "1"), field("bcd", "2"), field("cd", "3")),
                ["a": "1", "cd": "3"]
            ),
        ] as [(String, String, [String: FormCase.Value])]
    )
    func namesBeyondTheLimitAreIgnored(type: String, body: String, fields: [String: FormCase.Value]) {
        var limits = FormLimits()
        limits.nameBytes = 2
        let test = FormCase(origin: type, contentType: type, body: body, limits: limits, fields: fields)
        check(test)
        checkCuts(test)
    }

    /// Found by fuzzing: how much of a too long name had been stored depended on where the body was cut.
    @Test func tooLongNamesDoNotCountAsStored() {
        var limits = FormLimits()
        limits.nameBytes = 4
        limits.allFieldsBytes = 6
        let test = FormCase(
            origin: "too long names",
            contentType: Self.urlEncoded,
            body: "toolong=x&a=1&muchtoolong&b=2",
            limits: limits,
            fields: ["a": "1", "b": "2"]
        )
        check(test)
        checkCuts(test)
    }

    @Test func fileNamesBeyondTheLimitAreNotRegistered() {
        var limits = FormLimits()
        limits.nameBytes = 2
        let form = ParsedForm(
            Array(multipartBody("Edge", file("file", "p.jpg", "JPEG")).utf8),
            contentType: Self.multipart,
            limits: limits
        ).form
        #expect(form.files.map(\.part.name) == [[]])
    }

    // MARK: Lines

    /// PHP takes a longer line in pieces of its buffer's size, each of which may be a header or a boundary.
    @Test(arguments: [5119, 5120, 5121])
    func linesOfMoreThan5120BytesAreTakenInPieces(length: Int) {
        let filler = String(repeating: "x", count: length)
        let header = "--Edge\n" + filler + "Content-Disposition: x; name=a\n\n1\n--Edge--\n"
        let preamble = filler + "--Edge\nContent-Disposition: x; name=a\n\n1\n--Edge--\n"
        for body in [header, preamble].map({ Array($0.utf8) }) {
            let cuts = [[], [1], [length - 1], [length], [length + 1], [length + 7], [length + 8], [100, length + 9]]
            for cut in cuts {
                let form = ParsedForm(body, contentType: Self.multipart, cuts: cut).form
                #expect(form.string("a") == (length == 5120 ? [UInt8(ascii: "1")] : nil), "cut at \(cut)")
            }
        }
    }

    // MARK: Boundaries

    /// PHP has no room for longer ones since the fix of GHSA-9pqp-7h25-4f32.
    @Test(arguments: [(5115, true), (5116, true), (5117, false)])
    func longBoundaries(length: Int, isUsable: Bool) {
        let boundary = String(repeating: "A", count: length)
        let body = multipartBody(boundary, field("a", "1\n--" + boundary.dropLast() + "2"))
        let form = ParsedForm(Array(body.utf8), contentType: "multipart/form-data; boundary=" + boundary).form
        #expect((form.string("a")?.count == (isUsable ? 1 + 3 + length - 1 + 1 : nil)))
    }

    @Test(arguments: ["E\ndge", "\n"])
    func boundariesWithLineFeeds(boundary: String) {
        let body = multipartBody(boundary, field("a", "1"))
        #expect(ParsedForm(Array(body.utf8), contentType: "multipart/form-data; boundary=" + boundary).form.hasNoFields)
    }

    // MARK: Names

    /// Beyond a few names they are looked up in another way.
    @Test func manyNamesAreKeptApart() {
        for count in [14, 15, 16, 17, 18, 400] {
            let once = (0..<count).map { "k\($0)=\($0)" }
            let twice = once + (0..<count).map { $0 % 3 == 0 ? "k\($0)[]=x" : "k\($0)=again\($0)" }
            let form = ParsedForm(Array(twice.joined(separator: "&").utf8), contentType: Self.urlEncoded).form
            for index in 0..<count {
                #expect(form.string("k\(index)") == (index % 3 == 0 ? nil : Array("again\(index)".utf8)))
            }
            #expect(form.string("k\(count)") == nil)
        }
    }
}
