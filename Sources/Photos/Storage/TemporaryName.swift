/// The names of temporary files, for file systems on which they need one.
enum TemporaryName {
    /// What every such name starts with; the web server refuses names with a leading dot.
    static let prefix = ".ireporter-"

    /// A name that no process uses, and that is no photo's.
    static func next() -> String {
        prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
