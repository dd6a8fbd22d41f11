import PHPSemantics
import Testing

/// A session file with what PHP reads from it.
struct SessionCase: CustomTestStringConvertible, Sendable {
    /// Where the case comes from, and what it is about.
    var origin: String
    var bytes: [UInt8]
    /// Who is logged in.
    var user: Int64?
    /// Whether PHP reads the file at all.
    var isReadable = true

    init(_ origin: String, _ text: String, user: Int64? = nil, isReadable: Bool = true) {
        self.origin = origin
        bytes = Array(text.utf8)
        self.user = user
        self.isReadable = isReadable
    }

    var testDescription: String { origin }
}
