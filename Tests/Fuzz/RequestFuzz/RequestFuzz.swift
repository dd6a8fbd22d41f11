import Glibc

@testable import FastCGI

/// Reads the input as what a web server sends on one connection.
///
/// As one stream, until it ends, with one reader and with a new one for each request; and its first request once more from
/// packets. All have to yield the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let stream = read([input], SOCK_STREAM, atMost: .max)
    precondition(read([input], SOCK_STREAM, atMost: .max, isReused: false) == stream, "something stays in the reader")
    for seed in 1...3 {
        let packets = cut(input, seed: UInt64(seed) &+ UInt64(count))
        precondition(read(packets, SOCK_SEQPACKET, atMost: 1).first == stream.first, "packets make a difference")
    }
    return 0
}

/// What an application sees of a request.
private struct Seen: Equatable {
    var requestID: UInt16
    var keepsConnection: Bool
    var parameters: [[UInt8]?]
    var body: [UInt8] = []
    var isWhole = false
}

private func read(_ pieces: [[UInt8]], _ type: __socket_type, atMost limit: Int, isReused: Bool = true) -> [Seen] {
    var ends: [Int32] = [-1, -1]
    // All of it is there before it is read: nothing needs to wait.
    let code = unsafe socketpair(AF_UNIX, Int32(type.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
    precondition(code == 0)
    for piece in pieces where !piece.isEmpty {
        precondition(unsafe send(ends[1], piece, piece.count, 0) == piece.count)
    }
    shutdown(ends[1], Int32(SHUT_WR))
    defer {
        close(ends[0])
        close(ends[1])
    }
    var reader = RequestReader()
    var seen: [Seen] = []
    var output: [UInt8] = []
    while seen.count < limit {
        if !isReused {
            reader = RequestReader()
        }
        switch reader.readHead(ends[0]) {
        case .request(var exchange):
            var request = Seen(
                requestID: exchange.requestID,
                keepsConnection: exchange.keepsConnection,
                parameters: [reader.parameter("A"), reader.parameter("PATH"), reader.parameter("")]
            )
            while let piece = reader.nextBodyPiece() {
                piece.lend { bytes in
                    for index in bytes.indices {
                        request.body.append(bytes[index])
                    }
                }
            }
            request.isWhole = reader.finish(&exchange)
            seen.append(request)
            let response = Response(head: [], body: [])
            guard request.isWhole, limit > 1, exchange.finish(response, closing: false, buffer: &output) else {
                return seen
            }
        case .nothing:
            continue
        case .ended:
            return seen
        }
    }
    return seen
}

/// Cuts at a few places, which are the same for the same seed.
private func cut(_ input: [UInt8], seed: UInt64) -> [[UInt8]] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    let places = (0..<6).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(input.count + 1))
    }
    let bounds = [0] + places.sorted() + [input.count]
    return zip(bounds, bounds.dropFirst()).map { Array(input[$0..<$1]) }
}
