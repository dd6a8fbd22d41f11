/// The kinds of records (FastCGI 1.0, section 8).
enum RecordType: UInt8 {
    case beginRequest = 1
    case abortRequest = 2
    case endRequest = 3
    case parameters = 4
    case standardInput = 5
    case standardOutput = 6
    case getValues = 9
    case getValuesResult = 10
    case unknownType = 11
}

/// The eight bytes before each record's content (FastCGI 1.0, section 3.3).
struct RecordHeader {
    /// Bytes of a header.
    static let length = 8

    /// The kind of record; one that we do not know has no `RecordType`.
    let type: UInt8
    /// The request that the record belongs to; 0 is the connection itself.
    let requestID: UInt16
    /// Bytes that follow the header.
    let contentLength: Int
    /// Bytes to be ignored after those.
    let paddingLength: Int

    /// Reads the header that starts at `offset`; nil if it is none of this protocol's version 1.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard bytes[offset] == 1 else {
            return nil
        }
        type = bytes[offset + 1]
        requestID = UInt16(bytes[offset + 2]) << 8 | UInt16(bytes[offset + 3])
        contentLength = Int(bytes[offset + 4]) << 8 | Int(bytes[offset + 5])
        paddingLength = Int(bytes[offset + 6])
    }

    /// Appends a header to `output`.
    static func append(
        _ type: RecordType,
        _ requestID: UInt16,
        length: Int,
        padding: Int = 0,
        to output: inout [UInt8]
    ) {
        output.append(1)
        output.append(type.rawValue)
        output.append(UInt8(truncatingIfNeeded: requestID >> 8))
        output.append(UInt8(truncatingIfNeeded: requestID))
        output.append(UInt8(truncatingIfNeeded: length >> 8))
        output.append(UInt8(truncatingIfNeeded: length))
        output.append(UInt8(truncatingIfNeeded: padding))
        output.append(0)
    }
}
