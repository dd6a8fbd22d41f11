import PHPSemantics

/// Writes the input as a JSON string, which has to be one line of ASCII that reads back as the input's text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var json: [UInt8] = []
    json.appendJSONString(bytes)
    precondition(json.count >= 2 && json.first == UInt8(ascii: "\"") && json.last == UInt8(ascii: "\""))
    precondition(json.allSatisfy { (0x20..<0x80).contains($0) }, "one line of ASCII")
    let text = unescaped(json[1..<(json.count - 1)])
    if let valid = String(validating: bytes, as: UTF8.self) {
        precondition(Array(text.utf8) == Array(valid.utf8), "valid text reads back")
    } else {
        precondition(text.unicodeScalars.contains("\u{fffd}"), "malformed text shows")
    }
    // The other functions on strings of any bytes.
    precondition(URLCoding.decode(bytes).count <= bytes.count)
    precondition(URLCoding.rawDecode(bytes).count <= bytes.count)
    _ = IntegerCast.integer(bytes)
    return 0
}

private func unescaped(_ json: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    var rest = json
    while let byte = rest.popFirst() {
        precondition(byte != UInt8(ascii: "\""), "quotes are escaped")
        guard byte == UInt8(ascii: "\\") else {
            units.append(UInt16(byte))
            continue
        }
        switch rest.popFirst().map(Unicode.Scalar.init) {
        case "b": units.append(8)
        case "t": units.append(9)
        case "n": units.append(10)
        case "f": units.append(12)
        case "r": units.append(13)
        case "\"": units.append(0x22)
        case "\\": units.append(0x5c)
        case "/": units.append(0x2f)
        case "u":
            let digits = String(decoding: rest.prefix(4), as: UTF8.self)
            rest = rest.dropFirst(4)
            precondition(digits.count == 4 && digits == digits.lowercased())
            guard let unit = UInt16(digits, radix: 16) else { preconditionFailure("four digits") }
            units.append(unit)
        default: preconditionFailure("an escape that is none")
        }
    }
    return String(decoding: units, as: UTF16.self)
}
