/// The `Cookie` header, read as PHP reads it into `$_COOKIE`.
public enum Cookies {
    /// The value of a cookie, or nil if it is missing or an array.
    ///
    /// Cookies are separated by `;`, white space before a name is dropped. Of equal names the first wins, since the more
    /// specific path comes first. The value's `%XX` are decoded, its `+` and its quotes stay.
    /// - Parameters:
    ///   - name: the cookie's name as PHP has it, that is without spaces, dots and brackets.
    ///   - header: the header's value.
    public static func value(of name: String, in header: [UInt8]) -> [UInt8]? {
        let limits = FormLimits()
        var found: FormFields.Value?
        var count = 0
        for cookie in header.prefix(while: { $0 != ASCII.nul }).split(separator: ASCII.semicolon) {
            let cookie = cookie.drop(while: ASCII.isSpace)
            guard let first = cookie.first, first != ASCII.equals else { continue }
            count += 1
            guard count <= limits.fields else { break }
            let equals = cookie.firstIndex(of: ASCII.equals) ?? cookie.endIndex
            switch VariableName(Array(cookie[..<equals]), nestingLevels: limits.nestingLevels) {
            case .scalar(let other) where other.span.equals(name.utf8.span):
                if found == nil { found = .string(URLCoding.rawDecode(cookie[equals...].dropFirst())) }
            case .array(let other) where other.span.equals(name.utf8.span): found = .array
            case .tooDeep(let other) where other.span.equals(name.utf8.span): found = nil
            case .scalar, .array, .tooDeep, .dropped: break
            }
        }
        if case .string(let value) = found { return value }
        return nil
    }
}
