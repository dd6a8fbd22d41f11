/// Reasons that several cases share for being different on purpose.
enum Reason {
    static let databaseError = "A database that refuses leads to the tutorial's own message, not to a failure of PHP."
    static let narrowColumn =
        "A latin1 column cannot hold every byte that comes over a utf8mb4 connection; a hashed password is ASCII."
    static let robustness = "An array where a text belongs counts as missing; PHP fails on it."
}
