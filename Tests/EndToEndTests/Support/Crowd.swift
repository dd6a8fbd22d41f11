import Foundation

/// Clients that each have a thread, since a client blocks while it waits for a reply.
final class Crowd<Result: Sendable>: @unchecked Sendable {
    // @unchecked: `results` is touched only under `lock`.
    private let lock = NSLock()
    private let finished = DispatchSemaphore(value: 0)
    private var results: [Swift.Result<Result, any Error>] = []
    private let count: Int

    /// Starts `count` clients.
    init(_ count: Int, _ body: @escaping @Sendable (_ number: Int) throws -> Result) {
        self.count = count
        for number in 0..<count {
            Thread { [self] in
                let result = Swift.Result { try body(number) }
                lock.withLock { results.append(result) }
                finished.signal()
            }.start()
        }
    }

    /// Whether all of them are done.
    var isFinished: Bool { lock.withLock { results.count == count } }

    /// Waits for all of them.
    ///
    /// - Throws: what the first one to fail threw.
    func wait() throws -> [Result] {
        for _ in 0..<count {
            finished.wait()
        }
        return try lock.withLock { results }.map { try $0.get() }
    }
}
