/// Encodes the records that an application sends, as FastCGI 1.0 lays them out.
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
        appendEnd(requestID, .complete, to: &output)
    }

    /// How a request has ended for the protocol.
    enum ProtocolStatus: UInt8 {
        case complete = 0
        case cannotMultiplex = 1
        case unknownRole = 3
    }

    /// Appends `END_REQUEST` with application status 0 (section 5.5).
    static func appendEnd(_ requestID: UInt16, _ status: ProtocolStatus, to output: inout [UInt8]) {
        RecordHeader.append(.endRequest, requestID, length: 8, to: &output)
        output.append(contentsOf: repeatElement(0, count: 4))
        output.append(status.rawValue)
        output.append(contentsOf: repeatElement(0, count: 3))
    }

    /// Appends `GET_VALUES_RESULT` with the values that we have of those asked for (section 4.1).
    ///
    /// That is whether a connection takes several requests at once. The others of the protocol are the machine's matter,
    /// and left out.
    static func appendValues(askedFor names: ParameterList, to output: inout [UInt8]) {
        let name: StaticString = "FCGI_MPXS_CONNS"
        let isAsked = names.value(of: name) != nil
        let values = isAsked ? [UInt8(name.utf8CodeUnitCount), 1] + Array("\(name)0".utf8) : []
        RecordHeader.append(.getValuesResult, 0, length: values.count, to: &output)
        output += values
    }

    /// Appends `UNKNOWN_TYPE` for a management record that we do not know (section 4.2).
    static func appendUnknownType(_ type: UInt8, to output: inout [UInt8]) {
        RecordHeader.append(.unknownType, 0, length: 8, to: &output)
        output += [type, 0, 0, 0, 0, 0, 0, 0]
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
