/// Whether PHP counts a string as true: all but the empty one and `"0"` are (`empty()` is the opposite).
/// - Parameter bytes: the string's bytes.
public func phpTruthy(_ bytes: some Collection<UInt8>) -> Bool {
    !(bytes.isEmpty || (bytes.count == 1 && bytes.first == ASCII.zero))
}
