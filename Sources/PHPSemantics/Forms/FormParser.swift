/// Reads a request's form as PHP does while its body arrives in pieces of any size.
///
/// Memory is bounded by ``FormLimits``, and the content of files passes through. How the body is cut into pieces makes
/// no difference to the result.
public struct FormParser {
    private let limits: FormLimits
    private var urlEncoded: URLEncodedParser?
    private var multipart: MultipartParser?
    private var bodyBytes = 0

    /// A parser for one body.
    /// - Parameters:
    ///   - contentType: the request's `Content-Type`; anything but the two types that PHP knows yields no fields.
    ///   - limits: how much of the body is taken.
    public init(contentType: [UInt8]?, limits: FormLimits = FormLimits()) {
        self.limits = limits
        switch BodyType(contentType: contentType) {
        case .urlEncoded: urlEncoded = URLEncodedParser(limits: limits)
        case .multipart(let boundary): multipart = MultipartParser(boundary: boundary, limits: limits)
        case .unknown: break
        }
    }

    /// Whether the body may bring files.
    public var mayHaveFiles: Bool { multipart != nil }

    /// Whether the body is beyond a limit, so that the rest of it changes nothing any more.
    public var isTooLarge: Bool {
        bodyBytes > limits.bodyBytes || urlEncoded?.isTooLarge ?? false || multipart?.isTooLarge ?? false
    }

    /// Takes the next piece of the body.
    /// - Parameters:
    ///   - bytes: any number of bytes; they are not kept.
    ///   - files: gets the content of files.
    public mutating func push(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        bodyBytes += bytes.count
        if bodyBytes > limits.bodyBytes {
            multipart?.abandon(files: &files)
        } else {
            urlEncoded?.push(bytes)
            multipart?.push(bytes, files: &files)
        }
    }

    /// Takes the end of the body.
    /// - Parameter files: is told of the end of a file that the body cut off.
    /// - Returns: the form; without fields if a limit was exceeded.
    public mutating func finish(files: inout some FormFileReceiver) -> Form {
        urlEncoded?.finish()
        multipart?.finish(files: &files)
        var form = Form()
        form.files = multipart?.files ?? []
        if isTooLarge {
            form.outcome = .tooLarge
        } else if let fields = urlEncoded?.fields ?? multipart?.fields {
            form.fields = fields
        }
        return form
    }
}
