/// Encodes the records of a reply as FastCGI 1.0 lays them out (section 3.3 of the specification).
///
/// A reply leaves in one system call whatever its size, and so does the last record of a drained connection
/// (see `appendFarewell`).
enum RecordEncoder {
    /// The most content one record is given: the largest multiple of eight that the 16-bit length holds.
    static let maximumContentLength = 65_528

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
            RecordHeader.append(.standardOutput, requestID, length: length, padding: padding, to: &output)
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
        RecordHeader.append(.standardOutput, requestID, length: 0, to: &output)
        RecordHeader.append(.endRequest, requestID, length: 8, to: &output)
        output.append(contentsOf: repeatElement(0, count: 8))
    }

    /// Appends an unasked, empty `GET_VALUES_RESULT` after a reply that ends its connection.
    ///
    /// A web server puts a connection back among its idle ones as soon as it has read `END_REQUEST`, and may
    /// send the next request into it before it notices that we closed it; that request would be lost. nginx
    /// keeps a connection only if nothing follows `END_REQUEST`, so one more management record, in the same
    /// write, tells it in time.
    static func appendFarewell(to output: inout [UInt8]) {
        RecordHeader.append(.getValuesResult, 0, length: 0, to: &output)
    }
}
