/// Reads `multipart/form-data` as PHP's `rfc1867_post_handler` does, in pieces of any size.
struct MultipartParser {
    private enum State {
        /// Lines are skipped until one is the boundary.
        case boundary
        /// Lines of a part's header.
        case header
        /// The value of a field.
        case field(name: [UInt8])
        /// The content of a file.
        case file
        /// The rest of a file that is too large.
        case rest
        /// Whatever follows is ignored.
        case over
    }

    private let limits: FormLimits
    private var state = State.boundary
    private var line: LineReader
    private var header = PartHeader()
    private var headerBytes = 0
    private var search: DelimiterSearch
    private var parts = 0
    private var values: MultipartFields
    private var uploads: MultipartFiles

    /// Whether something is beyond a limit.
    private(set) var isTooLarge = false

    /// A parser for one body.
    init(boundary: [UInt8], limits: FormLimits) {
        self.limits = limits
        line = LineReader(capacity: max(5120, boundary.count + 6))
        search = DelimiterSearch(boundary: boundary)
        values = MultipartFields(limits: limits)
        uploads = MultipartFiles(limits: limits)
        // No line can be a boundary with a line feed in it.
        if boundary.contains(ASCII.lineFeed) { state = .over }
    }

    /// The fields that were read so far.
    var fields: FormFields { values.fields }
    /// The files whose end was reached so far.
    var files: [UploadedFile] { uploads.finished }

    /// Takes the next piece of the body.
    mutating func push(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .boundary, .header:
                if line.take(from: bytes, at: &index) { endLine(&files) }
            case .field, .file, .rest:
                switch search.next(in: bytes, at: &index) {
                case .content(let range): take(bytes.extracting(range), &files)
                case .held(let range): takeHeld(range, &files)
                case .delimiter: endContent(&files)
                case .needsMore: break
                }
            case .over: return
            }
        }
    }

    /// Takes the end of the body for the end of the part.
    mutating func finish(files: inout some FormFileReceiver) {
        if case .header = state {
            beginPart(&files)
            // PHP takes a header line that has no end for content.
            let content = line.takeAll()
            push(content.span, files: &files)
        }
        takeHeld(search.finish(), &files)
        if case .field(let name) = state { endField(name) }
        if case .file = state { uploads.end(.partial, receiver: &files) }
        state = .over
    }

    /// Gives up, since the body is beyond a limit; a file in progress is over.
    mutating func abandon(files: inout some FormFileReceiver) {
        if case .file = state { uploads.end(.partial, receiver: &files) }
        state = .over
        isTooLarge = true
    }

    private mutating func endLine(_ files: inout some FormFileReceiver) {
        let text = line.text
        switch state {
        case .header where text.isEmpty:
            beginPart(&files)
        case .header:
            headerBytes += line.count
            if headerBytes > limits.headerBytes { abandon(files: &files) } else { header.add(text) }
        default:
            guard text == search.delimiter[2...] else { break }
            header = PartHeader()
            headerBytes = 0
            state = .header
        }
        line.restart()
    }

    private mutating func beginPart(_ files: inout some FormFileReceiver) {
        state = .boundary
        guard let value = header.disposition else { return }
        parts += 1
        let disposition = ContentDisposition(value)
        // The limit is PHP's `max_multipart_body_parts`.
        if parts > limits.fields + limits.files {
            state = .over
        } else if let fileName = disposition.fileName {
            let isWanted = uploads.begin(
                disposition.name,
                fileName: fileName,
                contentType: header.contentType,
                receiver: &files
            )
            if isWanted { state = .file }
        } else if let name = disposition.name {
            state = .field(name: name)
        } else {
            state = .over
        }
    }

    private mutating func take(_ bytes: Span<UInt8>, _ files: inout some FormFileReceiver) {
        switch state {
        case .field:
            if !values.take(bytes) { abandon(files: &files) }
        case .file:
            if !uploads.take(bytes, receiver: &files) { state = .rest }
        default: break
        }
    }

    private mutating func takeHeld(_ range: Range<Int>, _ files: inout some FormFileReceiver) {
        guard !range.isEmpty else { return }
        let delimiter = search.delimiter
        take(delimiter.span.extracting(range), &files)
    }

    private mutating func endContent(_ files: inout some FormFileReceiver) {
        if case .file = state { uploads.end(.ok, receiver: &files) }
        if case .field(let name) = state, !endField(name) { return }
        // A longer line than the boundary ends the content as well, but begins no part.
        line.restart(with: search.delimiter[2...])
        state = .boundary
    }

    @discardableResult
    private mutating func endField(_ name: [UInt8]) -> Bool {
        guard values.end(name, files: &uploads) else {
            state = .over
            isTooLarge = true
            return false
        }
        return true
    }
}
