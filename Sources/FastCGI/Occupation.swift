internal import Glibc
internal import Synchronization

/// What one thread is busy with, as the watchdog sees it.
///
/// The thread itself pays two relaxed stores and one exchange a request. A request that runs too long is given up in
/// two steps: first the application's own waits are ended, so that it can still answer; if that does not help, its
/// connection is shut, so that the web server answers in its place. While the watchdog acts, the thread cannot leave
/// its request, so it is never a later request, or a descriptor that was given away, that is hit.
final class Occupation: Sendable {
    /// How far a request has been given up.
    enum Step: Int {
        /// The application's waits were ended.
        case waitsEnded = 2
        /// The connection was shut.
        case connectionShut = 3
    }

    private static let idle = 0
    private static let running = 1
    private static let held = 4

    /// The thread's name.
    let name: String
    private let state = Atomic<Int>(Occupation.idle)
    private let since = Atomic<Int>(0)
    private let descriptor = Atomic<Int32>(-1)
    private let endWaits = Locked<@Sendable () -> Void>({})

    init(name: String) {
        self.name = name
    }

    /// Remembers how the waits of this thread's application are ended from outside.
    func setInterruption(_ body: @escaping @Sendable () -> Void) {
        endWaits.withLock { $0 = body }
    }

    /// Says that a request is being read or worked on.
    func begin(_ connection: Int32) {
        descriptor.store(connection, ordering: .relaxed)
        since.store(monotonicMilliseconds(), ordering: .relaxed)
        state.store(Self.running, ordering: .releasing)
    }

    /// Says that the thread is done with its request; to be called before the connection may be closed.
    func end() {
        while true {
            let now = state.load(ordering: .acquiring)
            if now != Self.held,
                state.compareExchange(expected: now, desired: Self.idle, ordering: .acquiringAndReleasing).exchanged
            {
                return
            }
            sched_yield()
        }
    }

    /// Milliseconds for which the present request has been worked on; nil if there is none.
    func age(now: Int) -> Int? {
        state.load(ordering: .acquiring) == Self.idle ? nil : now - since.load(ordering: .relaxed)
    }

    /// True if everything was tried to get the thread out of its request.
    var isStuck: Bool {
        state.load(ordering: .relaxed) == Step.connectionShut.rawValue
    }

    /// Gives the present request up, one step further than before, if its time is over.
    ///
    /// - Parameters:
    ///   - limit: milliseconds after which its waits are ended.
    ///   - grace: milliseconds after that until its connection is shut.
    /// - Returns: the step that was taken; nil for none.
    func giveUp(after limit: Int, grace: Int, now: Int) -> Step? {
        let before = state.load(ordering: .acquiring)
        guard let due = Self.due(before, limit, grace), now - since.load(ordering: .relaxed) > due.age,
            state.compareExchange(expected: before, desired: Self.held, ordering: .acquiringAndReleasing).exchanged
        else {
            return nil
        }
        // The thread may have gone from one request to the next since it was looked at.
        guard now - since.load(ordering: .relaxed) > due.age else {
            state.store(before, ordering: .releasing)
            return nil
        }
        switch due.step {
        case .waitsEnded: endWaits.withLock { $0() }
        case .connectionShut: shutdown(descriptor.load(ordering: .relaxed), Int32(SHUT_RDWR))
        }
        state.store(due.step.rawValue, ordering: .releasing)
        return due.step
    }

    private static func due(_ state: Int, _ limit: Int, _ grace: Int) -> (step: Step, age: Int)? {
        switch state {
        case running: (.waitsEnded, limit)
        case Step.waitsEnded.rawValue: (.connectionShut, limit + grace)
        default: nil
        }
    }
}
