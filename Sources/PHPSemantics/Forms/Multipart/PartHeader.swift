/// The header of a part, of which only two fields matter, read as PHP's `multipart_buffer_headers` does.
struct PartHeader {
    private enum Field {
        case none
        case disposition
        case contentType
        case other
    }

    /// The first `Content-Disposition`, or nil.
    private(set) var disposition: [UInt8]?
    /// The first `Content-Type`, or nil.
    private(set) var contentType: [UInt8]?
    private var current = Field.none

    /// Takes a line that is not empty, without its end.
    ///
    /// A line that begins with white space or has no colon continues the field before it, as it is; before the first
    /// field it means nothing.
    mutating func add(_ line: ArraySlice<UInt8>) {
        guard let first = line.first, !ASCII.isSpace(first), let colon = line.firstIndex(of: ASCII.colon) else {
            switch current {
            case .disposition: disposition?.append(contentsOf: line)
            case .contentType: contentType?.append(contentsOf: line)
            case .other, .none: break
            }
            return
        }
        let name = line[..<colon]
        let value = line[(colon + 1)...].drop(while: ASCII.isSpace)
        if disposition == nil, name.equalsIgnoringCase("content-disposition") {
            current = .disposition
            disposition = Array(value)
        } else if contentType == nil, name.equalsIgnoringCase("content-type") {
            current = .contentType
            contentType = Array(value)
        } else {
            current = .other
        }
    }

    /// Forgets everything, for the next part.
    mutating func removeAll() {
        self = PartHeader()
    }
}
