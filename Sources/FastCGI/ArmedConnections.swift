internal import Glibc
internal import Synchronization

/// Which connections wait in the poller for their next request.
///
/// One byte for each descriptor, set and cleared by the thread that owns the connection, without a lock. It only
/// serves to tell how many requests wait, so descriptors beyond its size are simply not counted.
final class ArmedConnections: Sendable {
    private static let capacity = 65_536
    private let flags = InlineArray<65_536, Atomic<UInt8>> { _ in Atomic(0) }

    /// Notes that a connection is about to wait in the poller, or has left it.
    func set(_ descriptor: Int32, _ isArmed: Bool) {
        let index = Int(descriptor)
        if index >= 0 && index < Self.capacity {
            flags[index].store(isArmed ? 1 : 0, ordering: .relaxed)
        }
    }

    /// The descriptors of those that wait.
    var all: [Int32] {
        (0..<Self.capacity).filter { flags[$0].load(ordering: .relaxed) != 0 }.map { Int32($0) }
    }

    /// How many connections wait, and on how many of them a request has arrived.
    func count() -> (idle: Int, ready: Int) {
        var polls: [pollfd] = []
        for index in 0..<Self.capacity where flags[index].load(ordering: .relaxed) != 0 {
            polls.append(pollfd(fd: Int32(index), events: Int16(POLLIN), revents: 0))
        }
        guard !polls.isEmpty, unsafe poll(&polls, nfds_t(polls.count), 0) > 0 else {
            return (polls.count, 0)
        }
        let ready = polls.count { $0.revents & Int16(POLLIN) != 0 }
        return (polls.count - ready, ready)
    }
}
