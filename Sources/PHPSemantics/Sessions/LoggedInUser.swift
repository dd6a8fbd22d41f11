extension SessionData {
    /// The id of the user that the session is logged in as, or nil if nobody is.
    ///
    /// The original asks whether `$_SESSION['IdUser']` is true in PHP's sense, then formats it by `%d` after `urldecode`.
    /// So `s:2:"13"` and `i:13` are user 13, `b:1` is user 1, and a true string without a number is user 0. Arrays,
    /// objects and doubles that are no 64-bit integer count as nobody; PHP fails on the former two.
    public func loggedInUser() -> Int64? {
        guard let value = self["IdUser"], value.isTruthy else { return nil }
        switch value {
        case .string(let bytes): return IntegerCast.integer(URLCoding.decode(bytes))
        case .int(let number): return number
        case .bool: return 1
        case .double(let number): return IntegerCast.truncated(number)
        case .null, .array, .object: return nil
        }
    }
}
