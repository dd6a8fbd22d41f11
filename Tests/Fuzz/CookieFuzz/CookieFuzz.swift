import PHPSemantics

/// Looks for cookies in the input; what is found as an id can be part of a file's name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCookies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let header = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    for name in ["PHPSESSID", "a", "a_b", ""] {
        guard let value = Cookies.value(of: name, in: header) else { continue }
        precondition(value.count <= header.count)
        guard let id = SessionID(value) else { continue }
        precondition((1...256).contains(id.bytes.count))
        precondition(!id.bytes.contains(UInt8(ascii: "/")) && !id.bytes.contains(UInt8(ascii: ".")))
    }
    return 0
}
