/// Encodes the records of a reply as FastCGI 1.0 lays them out (section 3.3 of the specification).
///
/// Requests are read by libfcgi; replies are written here, because a reply then leaves in one system call
/// whatever its size, and because the last record of a drained connection has to leave in that same call
/// (see `appendFarewell`).
enum RecordEncoder {
    /// Bytes of a record header.
    static let headerLength = 8
    /// The most content one record is given: the largest multiple of eight that the 16-bit length holds.
    static let maximumContentLength = 65_528

    private enum RecordType: UInt8 {
        case endRequest = 3
        case standardOutput = 6
        case getValuesResult = 10
    }

    /// Appends a whole reply: standard output in as many records as needed, its empty closing record, and
    /// `END_REQUEST` with application status 0 and `REQUEST_COMPLETE`.
    static func appendReply(_ parts: [[UInt8]], requestID: UInt16, to output: inout [UInt8]) {
        let total = parts.reduce(0) { $0 + $1.count }
        output.reserveCapacity(output.count + total + (total / maximumContentLength + 4) * 16)
        var remaining = total
        var part = 0
        var offset = 0
        while remaining > 0 {
            let length = min(remaining, maximumContentLength)
            let padding = (8 - length % 8) % 8
            appendHeader(.standardOutput, requestID, length, padding, to: &output)
            var wanted = length
            while wanted > 0 {
                let piece = min(wanted, parts[part].count - offset)
                output.append(contentsOf: parts[part][offset..<offset + piece])
                wanted -= piece
                offset += piece
                if offset == parts[part].count {
                    part += 1
                    offset = 0
                }
            }
            output.append(contentsOf: repeatElement(0, count: padding))
            remaining -= length
        }
        appendHeader(.standardOutput, requestID, 0, 0, to: &output)
        appendHeader(.endRequest, requestID, 8, 0, to: &output)
        output.append(contentsOf: repeatElement(0, count: 8))
    }

    /// Appends an unasked, empty `GET_VALUES_RESULT` after a reply that ends its connection.
    ///
    /// A web server puts a connection back among its idle ones as soon as it has read `END_REQUEST`, and may
    /// send the next request into it before it notices that we closed it; that request would be lost. nginx
    /// keeps a connection only if nothing follows `END_REQUEST`, so one more management record, in the same
    /// write, tells it in time.
    static func appendFarewell(to output: inout [UInt8]) {
        appendHeader(.getValuesResult, 0, 0, 0, to: &output)
    }

    private static func appendHeader(
        _ type: RecordType,
        _ requestID: UInt16,
        _ length: Int,
        _ padding: Int,
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
