import Testing

@testable import PHPSemantics

/// Whether the whole body yields what the case says.
func check(_ test: FormCase, sourceLocation: SourceLocation = #_sourceLocation) {
    let parsed = ParsedForm(Array(test.body.utf8), contentType: test.contentType, limits: test.limits)
    let form = parsed.form
    #expect(form.outcome == test.outcome, sourceLocation: sourceLocation)
    var fields: [String: FormCase.Value] = [:]
    for field in form.fields.fields {
        let name = String(decoding: field.name, as: UTF8.self)
        switch field.value {
        case .string(let value): fields[name] = .string(String(decoding: value, as: UTF8.self))
        case .array: fields[name] = .array
        case .removed: break
        }
    }
    #expect(fields == test.fields, sourceLocation: sourceLocation)
    #expect(form.hasNoFields == test.fields.isEmpty, sourceLocation: sourceLocation)
    for (name, value) in test.fields {
        let expected: [UInt8]? = if case .string(let text) = value { Array(text.utf8) } else { nil }
        #expect(form.string(name) == expected, sourceLocation: sourceLocation)
    }
    for name in test.missing { #expect(form.string(name) == nil, sourceLocation: sourceLocation) }

    let files = zip(form.files, parsed.receiver.files).map { file, recorded in
        FormCase.File(
            name: String(decoding: file.part.name, as: UTF8.self),
            isArray: file.part.isArray,
            fileName: String(decoding: file.part.fileName, as: UTF8.self),
            contentType: String(decoding: file.part.contentType, as: UTF8.self),
            status: file.status,
            content: String(decoding: recorded.content, as: UTF8.self)
        )
    }
    #expect(files == test.files, sourceLocation: sourceLocation)
    #expect(form.files.map(\.index) == Array(form.files.indices), sourceLocation: sourceLocation)
    #expect(form.files.map(\.status) == parsed.receiver.files.map(\.status), sourceLocation: sourceLocation)
    #expect(form.files.map(\.byteCount) == parsed.receiver.files.map(\.content.count), sourceLocation: sourceLocation)
}

/// Whether the body yields the same however it is cut: in two at every offset, and into single bytes.
func checkCuts(_ test: FormCase, sourceLocation: SourceLocation = #_sourceLocation) {
    let body = Array(test.body.utf8)
    func parse(_ cuts: [Int]) -> ParsedForm {
        ParsedForm(body, contentType: test.contentType, limits: test.limits, cuts: cuts)
    }
    let whole = parse([])
    for cut in body.indices.dropFirst() where parse([cut]) != whole {
        Issue.record("\(test.origin): another result when cut at \(cut)", sourceLocation: sourceLocation)
        return
    }
    #expect(parse(Array(body.indices)) == whole, "cut into single bytes", sourceLocation: sourceLocation)
    #expect(parse([0, 0, body.count, body.count]) == whole, "with empty pieces", sourceLocation: sourceLocation)
}
