/// The files of a multipart body: which of them PHP takes, and how much.
struct MultipartFiles {
    private let limits: FormLimits
    private var part = FilePart()
    private var byteCount = 0
    private var taken = 0
    private var withoutName = 0
    private var skipsRest = false

    /// What a field `MAX_FILE_SIZE` allows; 0 for any number of bytes.
    var largestSize = 0
    /// The files whose end was reached.
    private(set) var finished: [UploadedFile] = []

    /// No files yet.
    init(limits: FormLimits) {
        self.limits = limits
    }

    /// Begins a file, unless PHP skips it.
    /// - Parameters:
    ///   - name: the part's name as sent, or nil.
    ///   - fileName: the part's file name as sent.
    ///   - contentType: the part's `Content-Type`, or nil.
    ///   - receiver: is told of the file.
    /// - Returns: whether the content is wanted.
    mutating func begin(
        _ name: [UInt8]?,
        fileName: [UInt8],
        contentType: [UInt8]?,
        receiver: inout some FormFileReceiver
    ) -> Bool {
        let anonymousName = Array(String(withoutName).utf8)
        withoutName += name == nil ? 1 : 0
        let name = PartName(name ?? anonymousName)
        // Once PHP has skipped a file it skips all that follow.
        skipsRest = skipsRest || taken >= limits.files || !name.isAcceptable
        guard !skipsRest else { return false }

        let slash = fileName.lastIndex { $0 == ASCII.slash || $0 == ASCII.backslash }
        part = FilePart(
            name: name.key(limits: limits),
            isArray: name.isArray,
            fileName: slash.map { Array(fileName[($0 + 1)...]) } ?? fileName,
            contentType: Array((contentType ?? []).prefix { $0 != ASCII.semicolon })
        )
        byteCount = 0
        receiver.beginFile(part)
        guard !fileName.isEmpty else {
            end(.noFile, receiver: &receiver)
            return false
        }
        taken += 1
        return true
    }

    /// Passes content on, and ends the file if it becomes too large.
    /// - Returns: whether more of it is wanted.
    mutating func take(_ bytes: Span<UInt8>, receiver: inout some FormFileReceiver) -> Bool {
        let fileLimit = limits.fileBytes ?? limits.bodyBytes
        let formLimit = largestSize == 0 ? fileLimit : max(0, largestSize)
        let room = min(fileLimit, formLimit) - byteCount
        let fitting = min(bytes.count, room)
        if fitting > 0 {
            receiver.fileBytes(bytes.extracting(0..<fitting))
            byteCount += fitting
        }
        guard bytes.count > room else { return true }
        end(formLimit < fileLimit ? .overFormSize : .overIniSize, receiver: &receiver)
        return false
    }

    /// Ends the file.
    mutating func end(_ status: UploadStatus, receiver: inout some FormFileReceiver) {
        receiver.endFile(status)
        finished.append(UploadedFile(part: part, status: status, byteCount: byteCount, index: finished.count))
    }
}
