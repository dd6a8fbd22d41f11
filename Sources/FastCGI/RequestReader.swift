internal import CLinux
internal import Glibc

/// Reads requests as web servers send them (FastCGI 1.0), from one connection at a time and one request at a time.
///
/// A web server keeps to one request per connection, as we tell whoever asks (`FCGI_MPXS_CONNS`). What breaks the
/// protocol ends its connection; libfcgi, the library for this, ends the process instead, and binds a
/// thread to each connection.
struct RequestReader {
    /// What a look at a connection gave.
    enum Outcome {
        /// A request, of which the body has yet to be read.
        case request
        /// No request yet, but something else that is done with.
        case nothing
        /// The end: the peer closed the connection, was silent in the middle of a request, or broke the protocol.
        case ended
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
    private var keepsConnection = true
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
        keepsConnection = true
        progress = .head
        contentLeft = 0
        paddingLeft = 0
        while let header = nextHeader(), readHeadRecord(header) {
            if progress == .body {
                return .request
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

    /// All values of a parameter.
    func parameters(_ name: StaticString) -> [[UInt8]] {
        parameters.values(of: name)
    }

    /// The next bytes of the body, as many as have been read ahead; nil if the body, or the connection, has ended.
    mutating func nextBodyPiece() -> BodyPiece? {
        while progress == .body {
            if contentLeft > 0 {
                guard let place = input.next(of: &contentLeft) else {
                    break
                }
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
    /// - Returns: what the reply needs; nil if the request did not come whole, and its connection is good for nothing.
    mutating func finish() -> Exchange? {
        while nextBodyPiece() != nil {}
        guard let requestID, isWhole else {
            return nil
        }
        return Exchange(
            connection: connection,
            requestID: requestID,
            keepsConnection: keepsConnection,
            hasSurplus: input.count > 0
        )
    }

    private mutating func nextHeader() -> RecordHeader? {
        guard input.require(RecordHeader.length) else {
            return nil
        }
        let place = input.take(RecordHeader.length)
        return RecordHeader(input.bytes, at: place.lowerBound)
    }

    /// Reads a record up to the end of the parameters; false if the connection has to end.
    private mutating func readHeadRecord(_ header: RecordHeader) -> Bool {
        switch RecordType(rawValue: header.type) {
        case .beginRequest where requestID == nil && header.requestID != 0:
            keepsConnection && readStart(header)
        case .parameters where header.requestID == requestID:
            readParameters(header)
        default:
            passOver(header)
        }
    }

    private mutating func readStart(_ header: RecordHeader) -> Bool {
        guard header.contentLength == 8, input.require(8) else {
            return false
        }
        let place = input.take(8).lowerBound
        let role = Int(input.bytes[place]) << 8 | Int(input.bytes[place + 1])
        keepsConnection = input.bytes[place + 2] & 1 != 0
        guard input.skip(header.paddingLength) else {
            return false
        }
        guard role == 1 else {
            return send { RecordEncoder.appendEnd(header.requestID, .unknownRole, to: &$0) }
        }
        requestID = header.requestID
        return true
    }

    private mutating func readParameters(_ header: RecordHeader) -> Bool {
        guard header.contentLength > 0 else {
            progress = .body
            return parameters.parse() && input.skip(header.paddingLength)
        }
        return parameters.append(header.contentLength, from: &input) && input.skip(header.paddingLength)
    }

    /// Goes on to the body's next record; false at the end of the body, or if it does not come.
    private mutating func nextBodyRecord() -> Bool {
        guard input.skip(paddingLeft), let header = nextHeader() else {
            return false
        }
        paddingLeft = 0
        guard header.type == RecordType.standardInput.rawValue, header.requestID == requestID else {
            return passOver(header)
        }
        guard header.contentLength > 0 else {
            if input.skip(header.paddingLength) {
                progress = .whole
            }
            return false
        }
        contentLeft = header.contentLength
        paddingLeft = header.paddingLength
        return true
    }

    /// Deals with a record that does not belong to a request we have, or asks about the application itself; false if
    /// the connection has to end.
    private mutating func passOver(_ header: RecordHeader) -> Bool {
        if header.requestID != 0, header.requestID == requestID {
            // The web server has given the request up, or its records are not in the order that the protocol has.
            return false
        }
        switch (RecordType(rawValue: header.type), header.requestID) {
        case (.getValues, 0):
            var asked = ParameterList()
            return asked.append(header.contentLength, from: &input) && asked.parse() && input.skip(header.paddingLength)
                && send { RecordEncoder.appendValues(askedFor: asked, to: &$0) }
        case (_, 0):
            return input.skip(header.contentLength + header.paddingLength)
                && send { RecordEncoder.appendUnknownType(header.type, to: &$0) }
        case (.beginRequest, _):
            return input.skip(header.contentLength + header.paddingLength)
                && send { RecordEncoder.appendEnd(header.requestID, .cannotMultiplex, to: &$0) }
        default:
            return input.skip(header.contentLength + header.paddingLength)
        }
    }

    /// Sends a record of few bytes; one that does not leave whole ends the connection.
    private func send(_ append: (inout [UInt8]) -> Void) -> Bool {
        var record: [UInt8] = []
        append(&record)
        return unsafe Glibc.send(connection, record, record.count, Int32(MSG_NOSIGNAL)) == record.count
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
