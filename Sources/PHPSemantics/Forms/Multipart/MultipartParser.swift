/// Reads `multipart/form-data` as PHP's `rfc1867_post_handler` does, in pieces of any size.
struct MultipartParser {
    private enum State {
        /// Lines are skipped until one is the boundary.
        case boundary
        case header
        case field(name: [UInt8])
        case file
        /// The content of a file that is too large.
        case discarded
        case over
    }

    private let limits: FormLimits
    private let lineCapacity: Int
    private var search: DelimiterSearch
    private var state = State.boundary
    private var line: [UInt8] = []
    private var header = PartHeader()
    private var headerBytes = 0
    private var value: [UInt8] = []
    private var storedBytes = 0

    private var parts = 0
    private var fieldCount = 0
    private var fileCount = 0
    private var anonymousFiles = 0
    private var skipsFiles = false
    private var largestFile = 0
    private var part = FilePart()
    private var fileBytes = 0

    private(set) var fields = FormFields()
    private(set) var files: [UploadedFile] = []
    private(set) var isTooLarge = false

    init(boundary: [UInt8], limits: FormLimits) {
        self.limits = limits
        search = DelimiterSearch(boundary: boundary)
        // PHP's buffer has this size, and a longer line is taken in pieces of it.
        lineCapacity = max(5120, boundary.count + 6)
        // No line can be a boundary with a line feed in it.
        if boundary.contains(ASCII.lineFeed) { state = .over }
    }

    /// Takes the next piece of the body.
    mutating func push(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .boundary, .header: takeLine(from: bytes, at: &index, files: &files)
            case .field, .file, .discarded: takeContent(from: bytes, at: &index, files: &files)
            case .over: return
            }
        }
    }

    /// Takes the end of the body for the end of the part.
    mutating func finish(files: inout some FormFileReceiver) {
        if case .header = state {
            // PHP takes a line that has no end for content.
            let content = line
            line = []
            beginPart(files: &files)
            push(content.span, files: &files)
        }
        switch state {
        case .field(let name):
            takeHeld(search.finish(), files: &files)
            endField(name)
        case .file:
            takeHeld(search.finish(), files: &files)
            if case .file = state { endFile(.partial, files: &files) }
        case .boundary, .header, .discarded, .over: break
        }
        state = .over
    }

    /// Ends a file in progress, since no more of the body is wanted.
    mutating func abandon(files: inout some FormFileReceiver) {
        if case .file = state { endFile(.partial, files: &files) }
        state = .over
        isTooLarge = true
    }

    // MARK: Lines

    private mutating func takeLine(from bytes: Span<UInt8>, at index: inout Int, files: inout some FormFileReceiver) {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == ASCII.lineFeed {
                if line.last == ASCII.carriageReturn { line.removeLast() }
                endLine(files: &files)
                return
            }
            line.append(byte)
            if line.count == lineCapacity {
                endLine(files: &files)
                return
            }
        }
    }

    private mutating func endLine(files: inout some FormFileReceiver) {
        defer { line.removeAll(keepingCapacity: true) }
        let text = line.prefix { $0 != ASCII.nul }
        if case .boundary = state {
            guard text == search.delimiter[2...] else { return }
            header.removeAll()
            headerBytes = 0
            state = .header
        } else if text.isEmpty {
            beginPart(files: &files)
        } else {
            headerBytes += line.count
            guard headerBytes <= limits.headerBytes else {
                abandon(files: &files)
                return
            }
            header.add(text)
        }
    }

    // MARK: Parts

    private mutating func beginPart(files: inout some FormFileReceiver) {
        state = .boundary
        guard let value = header.disposition else { return }
        parts += 1
        // PHP's max_multipart_body_parts.
        guard parts <= limits.fields + limits.files else {
            state = .over
            return
        }
        let disposition = ContentDisposition(value)
        if let fileName = disposition.fileName {
            beginFile(disposition.name, fileName: fileName, files: &files)
        } else if let name = disposition.name {
            state = .field(name: name)
        } else {
            state = .over
        }
    }

    private mutating func beginFile(_ sentName: [UInt8]?, fileName: [UInt8], files: inout some FormFileReceiver) {
        let anonymousName = Array(String(anonymousFiles).utf8)
        anonymousFiles += sentName == nil ? 1 : 0
        let name = PartName(sentName ?? anonymousName)
        // Once PHP has skipped a file it skips all that follow.
        skipsFiles = skipsFiles || fileCount >= limits.files || !name.isAcceptable
        guard !skipsFiles else { return }

        let slash = fileName.lastIndex { $0 == ASCII.slash || $0 == ASCII.backslash }
        part = FilePart(
            name: name.key(limits: limits),
            isArray: name.isArray,
            fileName: slash.map { Array(fileName[($0 + 1)...]) } ?? fileName,
            contentType: Array((header.contentType ?? []).prefix { $0 != ASCII.semicolon })
        )
        fileBytes = 0
        files.beginFile(part)
        if fileName.isEmpty {
            endFile(.noFile, files: &files)
            state = .boundary
        } else {
            fileCount += 1
            state = .file
        }
    }

    // MARK: Content

    private mutating func takeContent(
        from bytes: Span<UInt8>,
        at index: inout Int,
        files: inout some FormFileReceiver
    ) {
        switch search.next(in: bytes, at: &index) {
        case .content(let range): take(bytes.extracting(range), files: &files)
        case .held(let range): takeHeld(range, files: &files)
        case .delimiter: endContent(files: &files)
        case .needsMore: break
        }
    }

    private mutating func takeHeld(_ range: Range<Int>, files: inout some FormFileReceiver) {
        guard !range.isEmpty else { return }
        let delimiter = search.delimiter
        take(delimiter.span.extracting(range), files: &files)
    }

    private mutating func take(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        switch state {
        case .field:
            guard value.count + bytes.count <= limits.fieldBytes else {
                abandon(files: &files)
                return
            }
            for index in bytes.indices { value.append(bytes[index]) }
        case .file: takeFileBytes(bytes, files: &files)
        case .boundary, .header, .discarded, .over: break
        }
    }

    private mutating func takeFileBytes(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        let fileLimit = limits.fileBytes ?? limits.bodyBytes
        let formLimit = largestFile == 0 ? fileLimit : max(0, largestFile)
        let room = min(fileLimit, formLimit) - fileBytes
        let taken = min(bytes.count, room)
        if taken > 0 {
            files.fileBytes(bytes.extracting(0..<taken))
            fileBytes += taken
        }
        guard bytes.count > room else { return }
        endFile(formLimit < fileLimit ? .overFormSize : .overIniSize, files: &files)
        state = .discarded
    }

    private mutating func endContent(files: inout some FormFileReceiver) {
        if case .field(let name) = state { endField(name) }
        if case .file = state { endFile(.ok, files: &files) }
        if case .over = state { return }
        // The delimiter may be the beginning of a longer line, which is not the boundary.
        state = .boundary
        line.append(contentsOf: search.delimiter[2...])
    }

    private mutating func endFile(_ status: UploadStatus, files receiver: inout some FormFileReceiver) {
        receiver.endFile(status)
        files.append(UploadedFile(part: part, status: status, byteCount: fileBytes, index: files.count))
    }

    private mutating func endField(_ sentName: [UInt8]) {
        defer { value = [] }
        fieldCount += 1
        if sentName.equalsIgnoringCase("max_file_size") {
            // PHP reads it by `strtoll`, which knows no fractions and exponents.
            let digits = value.drop(while: ASCII.isSpace)
            let end = digits.dropFirst().firstIndex { !ASCII.isDigit($0) } ?? digits.endIndex
            largestFile = Int(IntegerCast.integer(digits[..<end]))
        }
        guard fieldCount <= limits.fields, sentName.count <= limits.nameBytes else { return }
        storedBytes += sentName.count + value.count
        guard storedBytes <= limits.allFieldsBytes else {
            isTooLarge = true
            state = .over
            return
        }
        fields.register(sentName, value, nestingLevels: limits.nestingLevels)
    }
}
