import PHPSemantics

/// Parses the input as a multipart body, whole and cut into random pieces; both have to yield the same form and files.
///
/// The first line of the input is the `Content-Type`, so that boundaries are fuzzed as well.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMultipart(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let type = Array(input.prefix { $0 != UInt8(ascii: "\n") })
    let body = Array(input.dropFirst(type.count + 1))
    var limits = FormLimits()
    limits.fieldBytes = 200
    limits.allFieldsBytes = 400
    limits.fileBytes = 300
    limits.headerBytes = 6000
    limits.fields = 5
    limits.files = 3
    let whole = parse(body, type, limits, cuts: [])
    for seed in 1...4 {
        let cuts = cuts(body.count, seed: UInt64(seed) &+ UInt64(body.count))
        precondition(parse(body, type, limits, cuts: cuts) == whole, "cutting at \(cuts) makes a difference")
    }
    precondition(parse(body, type, limits, cuts: Array(body.indices)) == whole, "single bytes make a difference")
    return 0
}

private func parse(_ body: [UInt8], _ type: [UInt8], _ limits: FormLimits, cuts: [Int]) -> Result {
    var receiver = Receiver()
    var parser = FormParser(contentType: type, limits: limits)
    var start = 0
    for end in cuts + [body.count] {
        parser.push(body.span.extracting(start..<end), files: &receiver)
        start = end
    }
    let form = parser.finish(files: &receiver)
    precondition(!receiver.isOpen, "a file has no end")
    precondition(form.outcome == .complete || form.hasNoFields)
    precondition(form.files.count == receiver.contents.count)
    for file in form.files {
        precondition(file.byteCount == receiver.contents[file.index].count)
        precondition(file.byteCount <= limits.fileBytes ?? .max)
    }
    return Result(form: form, contents: receiver.contents)
}

/// A few places to cut at, which are the same for the same seed.
private func cuts(_ count: Int, seed: UInt64) -> [Int] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    return (0..<6).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count + 1))
    }.sorted()
}

private struct Result: Equatable {
    var form: Form
    var contents: [[UInt8]]
}

private struct Receiver: FormFileReceiver {
    var contents: [[UInt8]] = []
    var isOpen = false

    mutating func beginFile(_ part: FilePart) {
        precondition(!isOpen, "the file before has no end")
        isOpen = true
        contents.append([])
    }

    mutating func fileBytes(_ bytes: Span<UInt8>) {
        precondition(isOpen, "no file has begun")
        for index in bytes.indices { contents[contents.count - 1].append(bytes[index]) }
    }

    mutating func endFile(_ status: UploadStatus) {
        precondition(isOpen, "no file has begun")
        isOpen = false
    }
}
