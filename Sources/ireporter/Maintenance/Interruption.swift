internal import Glibc
internal import Synchronization

/// Whether somebody has asked a long command to stop, by Ctrl-C or SIGTERM.
enum Interruption {
    private static let isAsked = Atomic<Bool>(false)

    /// Lets the signals ask, rather than end the program in the middle of a step.
    static func listen() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
        }
    }

    /// True once it was asked.
    static var isRequested: Bool { isAsked.load(ordering: .relaxed) }
}
