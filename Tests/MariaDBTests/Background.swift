import Foundation
import TestSupport

extension Thread {
    /// Runs `body` beside the test.
    static func start<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Running<Value> {
        let running = Running<Value>()
        detachNewThread { running.finish(Result(catching: body)) }
        return running
    }

    /// What runs beside the test; unchecked because the semaphore orders the one write before the read.
    final class Running<Value: Sendable>: @unchecked Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private var outcome: Result<Value, any Error>?

        fileprivate func finish(_ outcome: Result<Value, any Error>) {
            self.outcome = outcome
            semaphore.signal()
        }

        /// Waits for its end.
        func result() throws -> Value {
            semaphore.wait()
            guard let outcome else { throw TestFailure("it has no outcome") }
            return try outcome.get()
        }
    }
}
