internal import CLinux
internal import Glibc

/// Reads requests as web servers send them (FastCGI 1.0), from one connection at a time and one request at a time.
///
/// A web server keeps to one request per connection, as it is told to (`FCGI_MPXS_CONNS`). What breaks the protocol ends
/// its connection. (libfcgi, the library for this, ends the process instead, binds a thread to each connection, and
/// was a quarter of the instructions of a short request.)
struct RequestReader {
    /// What a look at a connection gave.
    enum Outcome {
        /// A request, of which the body has yet to be read.
        case request(Exchange)
        /// No request yet, but something else that is done with.
        case nothing
        /// The end: the peer closed the connection, was silent in the middle of a request, or broke the protocol.
        case ended

        /// Whether the connection is good for more.
        var keepsConnection: Bool {
            if case .ended = self { false } else { true }
        }
    }

    private enum Progress {
        case head
        case body
        case whole
        case failed
    }

    private var input = ConnectionInput()
    private var parameters = ParameterList()
    private var connection: Int32 = -1
    private var requestID: UInt16?
    private var progress = Progress.head
    /// What is still to come of the record of body bytes that is being read.
    private var contentLeft = 0
    private var paddingLeft = 0

    /// Reads a request's head, from a connection which is ready.
    mutating func readHead(_ connection: Int32) -> Outcome {
        self.connection = connection
        input.begin(connection)
        parameters.reset()
        requestID = nil
        progress = .head
        contentLeft = 0
        paddingLeft = 0
        var keepsConnection = true
        while let header = nextHeader() {
            switch RecordType(rawValue: header.type) {
            case .beginRequest where requestID == nil && header.requestID != 0:
                guard keepsConnection, let start = readStart(header) else {
                    return .ended
                }
                keepsConnection = start.keepsConnection
                if start.isResponder {
                    requestID = header.requestID
                } else if !refuse(header.requestID, .unknownRole) {
                    return .ended
                }
            case .parameters where header.requestID == requestID:
                guard readParameters(header) else {
                    return .ended
                }
                if progress == .body {
                    return .request(
                        Exchange(
                            connection: connection,
                            requestID: header.requestID,
                            keepsConnection: keepsConnection
                        )
                    )
                }
            default:
                guard passOver(header) else {
                    return .ended
                }
            }
            if requestID == nil, input.count == 0 {
                return keepsConnection ? .nothing : .ended
            }
        }
        return .ended
    }

    /// The bytes of a parameter; nil if there is none of that name.
    func parameter(_ name: StaticString) -> [UInt8]? {
        parameters.value(of: name)
    }

    /// The next bytes of the body, as many as have been read ahead; nil if the body, or the connection, has ended.
    mutating func nextBodyPiece() -> BodyPiece? {
        while progress == .body {
            if contentLeft > 0 {
                guard input.require(1) else {
                    break
                }
                let place = input.take(contentLeft)
                contentLeft -= place.count
                return BodyPiece(buffer: input.bytes, place: place)
            }
            guard nextBodyRecord() else {
                break
            }
        }
        if progress != .whole {
            progress = .failed
        }
        return nil
    }

    /// Whether the request was read to its end.
    var isWhole: Bool { progress == .whole }

    /// Reads what is left of the request, so that the next one does not start in its middle.
    ///
    /// - Returns: false if it did not come whole; the connection is good for nothing then.
    mutating func finish(_ exchange: inout Exchange) -> Bool {
        while nextBodyPiece() != nil {}
        exchange.hasSurplus = input.count > 0
        return isWhole
    }

    private mutating func nextHeader() -> RecordHeader? {
        guard input.require(RecordHeader.length) else {
            return nil
        }
        let place = input.take(RecordHeader.length)
        return RecordHeader(input.bytes, at: place.lowerBound)
    }

    /// Goes on to the body's next record; false at the end of the body, or if it does not come.
    private mutating func nextBodyRecord() -> Bool {
        guard skip(paddingLeft), let header = nextHeader() else {
            return false
        }
        paddingLeft = 0
        guard header.type == RecordType.standardInput.rawValue, header.requestID == requestID else {
            return passOver(header)
        }
        guard header.contentLength > 0 else {
            if skip(header.paddingLength) {
                progress = .whole
            }
            return false
        }
        contentLeft = header.contentLength
        paddingLeft = header.paddingLength
        return true
    }

    private mutating func readStart(_ header: RecordHeader) -> (isResponder: Bool, keepsConnection: Bool)? {
        guard header.contentLength == 8, input.require(8) else {
            return nil
        }
        let place = input.take(8).lowerBound
        let role = Int(input.bytes[place]) << 8 | Int(input.bytes[place + 1])
        let flags = input.bytes[place + 2]
        return skip(header.paddingLength) ? (role == 1, flags & 1 != 0) : nil
    }

    private mutating func readParameters(_ header: RecordHeader) -> Bool {
        guard header.contentLength > 0 else {
            progress = .body
            return parameters.parse() && skip(header.paddingLength)
        }
        var isRoom = true
        let isWhole = consume(header.contentLength) { reader, place in
            isRoom = isRoom && reader.parameters.append(reader.input.bytes[place])
        }
        return isWhole && isRoom && skip(header.paddingLength)
    }

    /// Deals with a record that does not belong to a request we have, or asks about the application itself; false if
    /// the connection has to end.
    private mutating func passOver(_ header: RecordHeader) -> Bool {
        if header.requestID != 0, header.requestID == requestID {
            // The web server has given the request up, or its records are not in the order that the protocol has.
            return false
        }
        switch RecordType(rawValue: header.type) {
        case .getValues where header.requestID == 0:
            return answerValues(header)
        case .beginRequest where header.requestID != 0:
            return refuse(header.requestID, .cannotMultiplex) && skip(header.contentLength + header.paddingLength)
        default:
            return (header.requestID != 0 || answerUnknown(header.type))
                && skip(header.contentLength + header.paddingLength)
        }
    }

    private mutating func skip(_ count: Int) -> Bool {
        count == 0 || consume(count) { _, _ in }
    }

    private mutating func consume(_ count: Int, _ body: (inout Self, Range<Int>) -> Void) -> Bool {
        var left = count
        while left > 0 {
            guard input.require(1) else {
                return false
            }
            let place = input.take(left)
            left -= place.count
            body(&self, place)
        }
        return true
    }
}

// What the application has to say for itself. What does not leave whole ends the connection.
extension RequestReader {
    private enum Refusal: UInt8 {
        case cannotMultiplex = 1
        case unknownRole = 3
    }

    private func refuse(_ requestID: UInt16, _ reason: Refusal) -> Bool {
        var record: [UInt8] = []
        RecordHeader.append(.endRequest, requestID, length: 8, to: &record)
        record += [0, 0, 0, 0, reason.rawValue, 0, 0, 0]
        return send(record)
    }

    /// Answers a question for values (section 4.1); the others that the protocol knows are the machine's matter.
    private mutating func answerValues(_ header: RecordHeader) -> Bool {
        var asked = ParameterList()
        let isRead = consume(header.contentLength) { reader, place in _ = asked.append(reader.input.bytes[place]) }
        guard isRead, asked.parse(), skip(header.paddingLength) else {
            return false
        }
        let name: StaticString = "FCGI_MPXS_CONNS"
        var values: [UInt8] = []
        if asked.value(of: name) != nil {
            values = [UInt8(name.utf8CodeUnitCount), 1] + Array("\(name)0".utf8)
        }
        var record: [UInt8] = []
        RecordHeader.append(.getValuesResult, 0, length: values.count, to: &record)
        return send(record + values)
    }

    private func answerUnknown(_ type: UInt8) -> Bool {
        var record: [UInt8] = []
        RecordHeader.append(.unknownType, 0, length: 8, to: &record)
        record += [type, 0, 0, 0, 0, 0, 0, 0]
        return send(record)
    }

    private func send(_ record: [UInt8]) -> Bool {
        unsafe Glibc.send(connection, record, record.count, Int32(MSG_NOSIGNAL)) == record.count
    }
}

/// Bytes of a body, in the buffer that they were received into.
struct BodyPiece {
    fileprivate let buffer: [UInt8]
    fileprivate let place: Range<Int>

    /// How many they are; at least one.
    var count: Int { place.count }

    /// Lends the bytes.
    func lend<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(buffer.span.extracting(place))
    }
}
