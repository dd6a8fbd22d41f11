/// Bytes with blanks: what a case sends or expects, before the run's names and the backend's ids are known.
///
/// Written as a string literal: `"{\"IdUser\":\"\(id: "user")\"}"`. Three kinds of blank exist:
/// - `\(name: "bob")`, a name nobody else uses, the same wherever a case says `bob`;
/// - `\(id: "photo")`, digits: the first expectation that holds fills it in, later ones must find the same digits,
///   and requests send them;
/// - `\(some: "reason")`, one or more bytes of a JSON string's contents, whatever they are (expectations only).
public struct Template: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case bytes([UInt8])
        case name(String)
        case id(String)
        case some(String)
    }

    private(set) var segments: [Segment]

    /// Bytes without blanks.
    public init(bytes: some Sequence<UInt8>) {
        segments = [.bytes(Array(bytes))]
    }

    init(segments: [Segment]) {
        self.segments = segments
    }

    static func + (left: Template, right: Template) -> Template {
        Template(segments: left.segments + right.segments)
    }

    static func += (left: inout Template, right: Template) {
        left.segments += right.segments
    }

    /// The template with its fixed bytes changed and its blanks left alone.
    ///
    /// Names and ids consist of letters, digits and hyphens, which no encoding changes.
    func mapBytes(_ transform: ([UInt8]) -> [UInt8]) -> Template {
        Template(
            segments: segments.map { segment in
                if case .bytes(let bytes) = segment { .bytes(transform(bytes)) } else { segment }
            }
        )
    }
}

extension Template: ExpressibleByStringInterpolation {
    /// The UTF-8 bytes of `value`, without blanks.
    public init(stringLiteral value: String) {
        self.init(bytes: value.utf8)
    }

    /// The bytes and blanks of a literal with interpolations.
    public init(stringInterpolation: Interpolation) {
        segments = stringInterpolation.segments
    }

    /// Collects a literal's pieces; see ``Template`` for what may be interpolated.
    public struct Interpolation: StringInterpolationProtocol {
        var segments: [Segment] = []

        /// An empty interpolation; the sizes are hints that need not be used.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends the UTF-8 bytes of a literal piece.
        public mutating func appendLiteral(_ literal: String) {
            segments.append(.bytes(Array(literal.utf8)))
        }

        /// Appends a name that belongs to the running case alone.
        public mutating func appendInterpolation(name label: String) {
            segments.append(.name(label))
        }

        /// Appends digits known under `label`.
        public mutating func appendInterpolation(id label: String) {
            segments.append(.id(label))
        }

        /// Appends the contents of a JSON string, one byte at least.
        public mutating func appendInterpolation(some label: String) {
            segments.append(.some(label))
        }

        /// Appends bytes that need not be text.
        public mutating func appendInterpolation(bytes: [UInt8]) {
            segments.append(.bytes(bytes))
        }

        /// Appends text made by the case's own code.
        public mutating func appendInterpolation(_ text: String) {
            segments.append(.bytes(Array(text.utf8)))
        }

        /// Appends another template, blanks and all.
        public mutating func appendInterpolation(_ template: Template) {
            segments += template.segments
        }
    }
}
