/// Reads a request's form as PHP does while its body arrives in pieces of any size.
///
/// Memory is bounded by ``FormLimits``, and the content of files passes through. How the body is cut into pieces makes
/// no difference to the result.
public struct FormParser {
    private enum Body {
        case urlEncoded(URLEncodedParser)
        case multipart(MultipartParser)
        case unknown
    }

    private let limits: FormLimits
    private var body: Body
    private var bodyBytes = 0

    /// A parser for one body.
    /// - Parameters:
    ///   - contentType: the request's `Content-Type`; anything but the two types that PHP knows yields no fields.
    ///   - limits: how much of the body is taken.
    public init(contentType: [UInt8]?, limits: FormLimits = FormLimits()) {
        self.limits = limits
        switch BodyType(contentType: contentType) {
        case .urlEncoded: body = .urlEncoded(URLEncodedParser(limits: limits))
        case .multipart(let boundary): body = .multipart(MultipartParser(boundary: boundary, limits: limits))
        case .unknown: body = .unknown
        }
    }

    /// Whether the body is beyond a limit, so that the rest of it changes nothing any more.
    public var isTooLarge: Bool {
        if bodyBytes > limits.bodyBytes { return true }
        switch body {
        case .urlEncoded(let parser): return parser.isTooLarge
        case .multipart(let parser): return parser.isTooLarge
        case .unknown: return false
        }
    }

    /// Takes the next piece of the body.
    /// - Parameters:
    ///   - bytes: any number of bytes; they are not kept.
    ///   - files: gets the content of files.
    public mutating func push(_ bytes: Span<UInt8>, files: inout some FormFileReceiver) {
        bodyBytes += bytes.count
        let fits = bodyBytes <= limits.bodyBytes
        switch body {
        case .urlEncoded(var parser):
            body = .unknown
            if fits { parser.push(bytes) }
            body = .urlEncoded(parser)
        case .multipart(var parser):
            body = .unknown
            if fits { parser.push(bytes, files: &files) } else { parser.abandon(files: &files) }
            body = .multipart(parser)
        case .unknown: break
        }
    }

    /// Takes the end of the body.
    /// - Parameter files: is told of the end of a file that the body cut off.
    /// - Returns: the form; without fields if a limit was exceeded.
    public mutating func finish(files: inout some FormFileReceiver) -> Form {
        var form = Form()
        switch body {
        case .urlEncoded(var parser):
            parser.finish()
            form.fields = parser.fields
            form.outcome = parser.isTooLarge ? .tooLarge : .complete
        case .multipart(var parser):
            parser.finish(files: &files)
            form.fields = parser.fields
            form.files = parser.files
            form.outcome = parser.isTooLarge ? .tooLarge : .complete
        case .unknown: break
        }
        body = .unknown
        if bodyBytes > limits.bodyBytes { form.outcome = .tooLarge }
        if form.outcome == .tooLarge { form.fields = FormFields() }
        return form
    }
}
