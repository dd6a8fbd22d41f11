/// A `multipart/form-data` body of which every byte can be chosen.
struct Multipart: Sendable {
    /// One part: its header lines as they are (without the line ends), and its contents.
    struct Part: Sendable {
        var headers: [Template]
        var contents: Template

        /// A plain field.
        static func field(_ name: String, _ value: Template) -> Part {
            Part(headers: ["Content-Disposition: form-data; name=\"\(name)\""], contents: value)
        }

        /// A file part as browsers and the iPhone client send it.
        static func file(
            _ name: String = "file",
            _ contents: [UInt8],
            filename: String = "photo.jpg",
            type: String = "image/jpeg"
        ) -> Part {
            Part(
                headers: [
                    "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"",
                    "Content-Type: \(type)",
                ],
                contents: Template(bytes: contents)
            )
        }
    }

    /// What follows the last part.
    enum Ending: Sendable {
        /// `--boundary--`
        case closed
        /// `--boundary` and a line end, without the last two hyphens.
        case withoutHyphens
        /// Nothing: the body ends in the last part's contents.
        case missing
    }

    /// The boundary of the iPhone client.
    static let clientBoundary = "Boundary+0xAbCdEfGbOuNdArY"

    var parts: [Part]
    var boundary = Multipart.clientBoundary
    /// The whole `Content-Type` header; by default with the boundary unquoted.
    var contentType: String?
    var lineEnd = "\r\n"
    var preamble: Template = ""
    var epilogue: Template = ""
    var ending = Ending.closed

    /// The header value that announces the body.
    var header: String {
        contentType ?? "multipart/form-data; boundary=\(boundary)"
    }

    /// The body.
    var body: Template {
        var result = preamble
        for (index, part) in parts.enumerated() {
            result += "\(index == 0 ? "" : lineEnd)--\(boundary)\(lineEnd)"
            for header in part.headers {
                result += "\(header)\(lineEnd)"
            }
            result += "\(lineEnd)\(part.contents)"
        }
        switch ending {
        case .closed: result += "\(lineEnd)--\(boundary)--\(lineEnd)"
        case .withoutHyphens: result += "\(lineEnd)--\(boundary)\(lineEnd)"
        case .missing: break
        }
        return result + epilogue
    }
}
