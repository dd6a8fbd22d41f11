extension Span<UInt8> {
    /// Whether the bytes are those of `other`.
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether the bytes are those of `lowercase` but for the case of ASCII letters, as C's `strcasecmp` compares.
    func equalsIgnoringCase(_ lowercase: Span<UInt8>) -> Bool {
        guard count == lowercase.count else { return false }
        for index in indices where ASCII.lowercased(self[index]) != lowercase[index] { return false }
        return true
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are those of `lowercase` but for the case of ASCII letters.
    func equalsIgnoringCase(_ lowercase: String) -> Bool {
        span.equalsIgnoringCase(lowercase.utf8.span)
    }
}

extension [UInt8] {
    /// Whether the bytes are those of `lowercase` but for the case of ASCII letters.
    func equalsIgnoringCase(_ lowercase: String) -> Bool {
        span.equalsIgnoringCase(lowercase.utf8.span)
    }
}
