internal import Glibc
internal import Synchronization

/// Ends a thread's waits for the database from another thread.
///
/// The statement that is waiting then fails as if the server had hung up, nothing is repeated or connected anew, and
/// every further statement fails too, until `reset`. The connection is given up by the thread that owns it.
public final class Interruption: Sendable {
    private static let idle = 0
    private static let waiting = 1
    private static let held = 2

    private let state = Atomic<Int>(Interruption.idle)
    private let socket = Atomic<Int32>(-1)
    private let interrupted = Atomic<Bool>(false)

    /// Ends the present wait, and lets none begin.
    public func interrupt() {
        interrupted.store(true, ordering: .sequentiallyConsistent)
        // Held, the owner cannot close the socket, whose number might go to another file.
        let exchange = state.compareExchange(
            expected: Self.waiting,
            desired: Self.held,
            ordering: .sequentiallyConsistent
        )
        if exchange.exchanged {
            shutdown(socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
            state.store(Self.waiting, ordering: .sequentiallyConsistent)
        }
    }

    /// Allows statements again.
    public func reset() {
        interrupted.store(false, ordering: .relaxed)
    }

    /// Whether statements are to fail.
    var isInterrupted: Bool {
        interrupted.load(ordering: .sequentiallyConsistent)
    }

    /// Says that the owner is about to wait for an answer on a socket.
    func begin(_ descriptor: Int32) {
        socket.store(descriptor, ordering: .relaxed)
        state.store(Self.waiting, ordering: .sequentiallyConsistent)
    }

    /// Says that the owner waits no more.
    func end() {
        while !state.compareExchange(expected: Self.waiting, desired: Self.idle, ordering: .acquiringAndReleasing)
            .exchanged
        {
            sched_yield()
        }
    }
}

extension DatabaseError.Diagnostic {
    /// A statement was not executed, because its request has run too long.
    static let interrupted = Self(code: 1317, sqlState: "70100", message: "The request ran too long and was given up")
}
