/// The kinds of body that PHP reads into `$_POST`.
enum BodyType: Equatable {
    /// `application/x-www-form-urlencoded`
    case urlEncoded
    /// `multipart/form-data` with its boundary
    case multipart(boundary: [UInt8])
    /// Anything else, or multipart without a usable boundary: PHP sees no fields.
    case unknown

    /// Reads a `Content-Type` as PHP does.
    ///
    /// The type ends at `;`, `,` or a space and may have any case. The boundary is what follows the first `=` after the
    /// first `boundary`, up to `,` or `;`, or between double quotes. One that does not fit into PHP's buffer of 5120
    /// bytes with what surrounds it is no usable boundary.
    init(contentType: [UInt8]?) {
        // What nearly everybody sends.
        if contentType == Self.urlEncodedType {
            self = .urlEncoded
            return
        }
        let header = (contentType ?? []).prefix { $0 != ASCII.nul }
        let type = header.prefix { $0 != ASCII.semicolon && $0 != ASCII.comma && $0 != ASCII.space }
        if type.equalsIgnoringCase("application/x-www-form-urlencoded") {
            self = .urlEncoded
        } else if type.equalsIgnoringCase("multipart/form-data"), let boundary = Self.boundary(in: header),
            boundary.count <= Self.largestBoundary
        {
            self = .multipart(boundary: boundary)
        } else {
            self = .unknown
        }
    }

    private static func boundary(in header: ArraySlice<UInt8>) -> [UInt8]? {
        // PHP prefers the spelling in lower case wherever it stands.
        guard
            let parameter = position(of: boundaryWord, in: header)
                ?? position(of: boundaryWord, in: header.map(ASCII.lowercased)[...]),
            let equals = header[parameter...].firstIndex(of: ASCII.equals)
        else { return nil }
        let value = header[(equals + 1)...]
        guard value.first == ASCII.quote else {
            return Array(value.prefix { $0 != ASCII.comma && $0 != ASCII.semicolon })
        }
        let quoted = value.dropFirst()
        return quoted.firstIndex(of: ASCII.quote).map { Array(quoted[..<$0]) }
    }

    private static let urlEncodedType = Array("application/x-www-form-urlencoded".utf8)

    private static let largestBoundary = 5120 - "\r\n--".utf8.count

    private static let boundaryWord = Array("boundary".utf8)

    private static func position(of word: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        text.indices.first { text[$0] == word[0] && text[$0...].starts(with: word) }
    }
}
