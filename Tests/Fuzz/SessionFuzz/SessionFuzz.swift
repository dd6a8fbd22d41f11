import PHPSemantics

/// Reads the input as a session file; what is read has to survive being changed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSession(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let session = SessionData(decoding: bytes)
    precondition(session.isEmpty || session.encoded() == bytes, "reading changes nothing")
    if session.isEmpty { precondition(session.loggedInUser() == nil, "nobody is logged in by what cannot be read") }

    var changed = session
    changed.set("IdUser", to: Array("13".utf8))
    precondition(changed.loggedInUser() == 13)
    precondition(SessionData(decoding: changed.encoded()) == changed, "what was set can be read")
    for key in ["a", "b", "c"] {
        let (before, after) = (session[key], changed[key])
        // A key may refer to the one that was set.
        precondition(before == after || after == .string(Array("13".utf8)) || isNaN(before), "\(key) is as it was")
    }
    let size = changed.encoded().count
    changed.set("IdUser", to: Array("14".utf8))
    precondition(changed.encoded().count == size, "setting it again takes no more room")
    changed.remove("IdUser")
    precondition(changed.loggedInUser() == nil)
    precondition(SessionData(decoding: changed.encoded()) == changed)
    return 0
}

private func isNaN(_ value: PHPValue?) -> Bool {
    if case .double(let number) = value { number.isNaN } else { false }
}
