/// Takes the files of a multipart body while they arrive.
///
/// For each file, in the order of the body: one ``beginFile(_:)``, any number of ``fileBytes(_:)``, one
/// ``endFile(_:)``. The calls for two files never mix, and there may be many parts that begin and end at once, since
/// those whose file name is empty do not count as files (``UploadStatus/noFile``). A body that is given up in the middle of a file ends with
/// ``UploadStatus/partial``; a parser that is dropped in the middle of one makes no further calls.
public protocol FormFileReceiver {
    /// A part with a file name begins.
    mutating func beginFile(_ part: FilePart)
    /// More of the file's content, in order and in pieces of any size.
    /// - Parameter bytes: valid during the call only.
    mutating func fileBytes(_ bytes: Span<UInt8>)
    /// The file is over; keep it only if `status` is ``UploadStatus/ok``.
    mutating func endFile(_ status: UploadStatus)
}

/// A receiver for forms whose files nobody wants.
public struct IgnoredFiles: FormFileReceiver, Sendable {
    /// A receiver that drops everything.
    public init() {}
    /// Does nothing.
    public mutating func beginFile(_ part: FilePart) {}
    /// Does nothing.
    public mutating func fileBytes(_ bytes: Span<UInt8>) {}
    /// Does nothing.
    public mutating func endFile(_ status: UploadStatus) {}
}
