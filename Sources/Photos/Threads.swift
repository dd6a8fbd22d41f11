internal import Glibc

/// Runs `body` on several threads at once, the calling one among them, and waits for all.
///
/// Fewer threads are used if the system gives no more.
func runThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (1..<max(count, 1)).compactMap { _ in startThread(body) }
    body()
    for thread in threads { pthread_join(thread, nil) }
}

/// What a new thread is given.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread, or returns nil.
private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let context = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread,
        nil,
        { context in
            unsafe Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
            return nil
        },
        context.toOpaque()
    )
    guard status == 0 else {
        unsafe context.release()
        return nil
    }
    return thread
}
