import PHPSemantics
import Testing

/// A request body with what PHP makes of it.
struct FormCase: CustomTestStringConvertible, Sendable {
    /// What a name in `$_POST` has.
    enum Value: Equatable {
        case string(String)
        case array
    }

    /// A file as `$_FILES` and the upload folder show it.
    struct File: Equatable {
        var name: String
        var isArray = false
        var fileName: String
        var contentType = ""
        var status = UploadStatus.ok
        var content = ""
    }

    /// Where the case comes from, and what it is about.
    var origin: String
    var contentType: String?
    /// The body; `\n` stands for the line end that the case is run with.
    var body: String
    var limits = FormLimits()
    var fields: [String: Value] = [:]
    var files: [File] = []
    var outcome = FormOutcome.complete
    /// Names that must not be there.
    var missing: [String] = []

    var testDescription: String { origin }

    /// The case with other line ends, in the body as in what is expected.
    func withLineEnds(_ lineEnd: String) -> FormCase {
        var other = self
        other.origin += lineEnd == "\n" ? " (LF)" : " (CRLF)"
        other.body.replace("\n", with: lineEnd)
        other.fields = fields.mapValues { value in
            if case .string(let text) = value { .string(text.replacing("\n", with: lineEnd)) } else { value }
        }
        for index in files.indices { other.files[index].content.replace("\n", with: lineEnd) }
        return other
    }
}

extension FormCase.Value: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .string(text)
    }
}

extension [FormCase] {
    /// Each case with CRLF and with LF.
    var inBothLineEnds: [FormCase] { flatMap { [$0.withLineEnds("\r\n"), $0.withLineEnds("\n")] } }
}

/// A multipart body of the given parts, with its closing boundary.
func multipartBody(_ boundary: String, _ parts: String...) -> String {
    parts.map { "--\(boundary)\n\($0)\n" }.joined() + "--\(boundary)--\n"
}

/// A part that is a field.
func field(_ name: String, _ value: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"\n\n\(value)"
}

/// A part that is a file.
func file(_ name: String, _ fileName: String, _ content: String, type: String? = nil) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\n"
        + (type.map { "Content-Type: \($0)\n" } ?? "") + "\n\(content)"
}
