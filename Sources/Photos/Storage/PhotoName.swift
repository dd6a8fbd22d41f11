/// The names under which the web server finds a photo and its thumbnail.
enum PhotoName {
    /// The photo's name.
    static func photo(_ id: UInt64) -> String { "\(id).jpg" }

    /// The thumbnail's name.
    static func thumbnail(_ id: UInt64) -> String { "\(id)-thumb.jpg" }
}
