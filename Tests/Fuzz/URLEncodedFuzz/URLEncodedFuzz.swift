import PHPSemantics

/// Parses the input as an urlencoded body, whole and cut into pieces; both have to yield the same form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURLEncoded(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let body = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var limits = FormLimits()
    limits.nameBytes = 40
    limits.fieldBytes = 400
    limits.allFieldsBytes = 1000
    limits.bodyBytes = 2000
    limits.fields = 20
    let whole = parse(body, limits, pieces: body.count + 1)
    for pieces in [1, 2, 3, 7] {
        precondition(parse(body, limits, pieces: pieces) == whole, "cutting into \(pieces) makes a difference")
    }
    precondition(whole.outcome == .complete || whole.hasNoFields)
    return 0
}

private func parse(_ body: [UInt8], _ limits: FormLimits, pieces: Int) -> Form {
    var files = IgnoredFiles()
    var parser = FormParser(contentType: Array("application/x-www-form-urlencoded".utf8), limits: limits)
    var start = 0
    while start < body.count {
        let end = min(start + pieces, body.count)
        parser.push(body.span.extracting(start..<end), files: &files)
        start = end
    }
    return parser.finish(files: &files)
}
