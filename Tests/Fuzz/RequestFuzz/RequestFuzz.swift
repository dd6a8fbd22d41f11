import Glibc

@testable import FastCGI

/// Reads the input as what a web server sends on one connection.
///
/// Its first request from a stream and from packets; and all of it from packets, with one reader and with a new one for
/// each request. Both have to yield the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let first = read([input], SOCK_STREAM, isReused: true).first
    for seed in 1...3 {
        let packets = cut(input, seed: UInt64(seed) &+ UInt64(count))
        let seen = read(packets, SOCK_SEQPACKET, isReused: true)
        precondition(seen.first == first, "packets make a difference")
        precondition(read(packets, SOCK_SEQPACKET, isReused: false) == seen, "something stays in the reader")
    }
    return 0
}

/// What an application sees of a request.
private struct Seen: Equatable {
    var parameters: [[UInt8]?]
    var body: [UInt8] = []
    var requestID: UInt16?
    var keepsConnection: Bool?
}

/// Reads request after request, as long as they come whole; what was read ahead of one is dropped with it.
private func read(_ pieces: [[UInt8]], _ type: __socket_type, isReused: Bool) -> [Seen] {
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
    while true {
        if !isReused {
            reader = RequestReader()
        }
        switch reader.readHead(ends[0]) {
        case .request:
            var request = Seen(
                parameters: [reader.parameter("A"), reader.parameter("PATH"), reader.parameter("")]
            )
            while let piece = reader.nextBodyPiece() {
                piece.lend { bytes in
                    for index in bytes.indices {
                        request.body.append(bytes[index])
                    }
                }
            }
            let exchange = reader.finish()
            request.requestID = exchange?.requestID
            request.keepsConnection = exchange?.keepsConnection
            seen.append(request)
            if exchange == nil {
                return seen
            }
        case .nothing:
            continue
        case .ended:
            return seen
        }
    }
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
