import PHPSemantics

/// Keeps the files of a form in memory, and checks the order of the calls.
struct RecordingReceiver: FormFileReceiver, Equatable {
    struct File: Equatable {
        var part: FilePart
        var content: [UInt8] = []
        var status: UploadStatus?
    }

    var files: [File] = []

    mutating func beginFile(_ part: FilePart) {
        precondition(files.last?.status != nil || files.isEmpty, "the file before has no end")
        files.append(File(part: part))
    }

    mutating func fileBytes(_ bytes: Span<UInt8>) {
        precondition(files.last?.status == nil && !files.isEmpty, "no file has begun")
        precondition(bytes.count > 0, "no bytes are nothing to tell of")
        for index in bytes.indices { files[files.count - 1].content.append(bytes[index]) }
    }

    mutating func endFile(_ status: UploadStatus) {
        precondition(files.last?.status == nil && !files.isEmpty, "no file has begun")
        files[files.count - 1].status = status
    }
}

/// A form with the content of its files.
struct ParsedForm: Equatable {
    var form: Form
    var receiver: RecordingReceiver

    /// Parses a body in one piece, or in pieces that end at the given offsets.
    init(_ body: [UInt8], contentType: String?, limits: FormLimits = FormLimits(), cuts: [Int] = []) {
        receiver = RecordingReceiver()
        var parser = FormParser(contentType: contentType.map { Array($0.utf8) }, limits: limits)
        var start = 0
        for end in cuts + [body.count] {
            parser.push(body.span.extracting(start..<end), files: &receiver)
            start = end
        }
        form = parser.finish(files: &receiver)
    }
}
