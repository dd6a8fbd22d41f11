/// The names under which the web server finds a photo and its thumbnail.
enum PhotoName {
    /// The photo's name.
    static func photo(_ id: UInt64) -> String { "\(id).jpg" }

    /// The thumbnail's name.
    static func thumbnail(_ id: UInt64) -> String { "\(id)-thumb.jpg" }

    /// The number in a photo's name; nil for any other name.
    static func id(ofPhoto name: String) -> UInt64? { id(of: name, ending: ".jpg") }

    /// The number in a thumbnail's name; nil for any other name.
    static func id(ofThumbnail name: String) -> UInt64? { id(of: name, ending: "-thumb.jpg") }

    /// The number before a given ending, if it is one that the database could have given.
    private static func id(of name: String, ending: String) -> UInt64? {
        guard name.hasSuffix(ending) else { return nil }
        let digits = name.dropLast(ending.count)
        // Only as it would be written: no sign, no leading zeros.
        guard let id = UInt64(digits), id > 0, id <= UInt64(Int64.max), String(id) == digits else { return nil }
        return id
    }
}
