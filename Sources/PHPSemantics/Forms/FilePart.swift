/// What a multipart body says about one of its files.
public struct FilePart: Sendable, Equatable {
    /// The field's name as PHP's `$_FILES` has it: leading spaces dropped, spaces and dots replaced by `_`, brackets
    /// cut off; empty if `$_FILES` has no place for it.
    public var name: [UInt8]
    /// Whether the name had brackets (`file[]`), so that PHP makes an array of it, whose error is no plain number.
    public var isArray: Bool
    /// The client's file name without its directories, whether they are separated by `/` or by `\`.
    public var fileName: [UInt8]
    /// The part's `Content-Type` up to the first `;`, as sent; empty if there is none.
    public var contentType: [UInt8]

    /// A file with the given properties.
    public init(name: [UInt8] = [], isArray: Bool = false, fileName: [UInt8] = [], contentType: [UInt8] = []) {
        self.name = name
        self.isArray = isArray
        self.fileName = fileName
        self.contentType = contentType
    }
}

/// How the upload of a file went; the raw values are those of PHP's `UPLOAD_ERR_` constants.
public enum UploadStatus: Int, Sendable {
    /// The whole file is there.
    case ok = 0
    /// The file has more bytes than ``FormLimits/fileBytes``.
    case overIniSize = 1
    /// The file has more bytes than the field `MAX_FILE_SIZE` before it says.
    case overFormSize = 2
    /// The body ended before the file did.
    case partial = 3
    /// The part's file name is empty: nothing was chosen.
    case noFile = 4
}

/// A file of a finished form.
public struct UploadedFile: Sendable, Equatable {
    /// What the body says about it.
    public var part: FilePart
    /// How its upload went.
    public var status: UploadStatus
    /// How many bytes the receiver got.
    public var byteCount: Int
    /// The file's place among all files of the form, in the order in which the receiver got them, from 0.
    public var index: Int

    /// A file with the given properties.
    public init(part: FilePart, status: UploadStatus, byteCount: Int, index: Int) {
        self.part = part
        self.status = status
        self.byteCount = byteCount
        self.index = index
    }
}
