internal import CLinux
internal import Glibc

/// A thread of our own: it may block as long as it likes, which Swift's cooperative pool must not.
@safe struct WorkerThread: Sendable {
    // A thread's handle is a number; it is joined once, by whoever stops the server.
    private let handle: pthread_t

    private final class Start {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: shown by `ps -L` and debuggers; at most 15 bytes.
    ///   - body: what the thread does.
    /// - Throws: `FastCGIError.system`.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(FastCGIError) {
        let start = unsafe Unmanaged.passRetained(Start(body))
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                let start = unsafe Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            unsafe start.release()
            throw .system("start a thread", errorText(code))
        }
        unsafe pthread_setname_np(handle, String(name.prefix(15)))
        self.handle = handle
    }

    /// Waits for the thread to end.
    func join() {
        pthread_join(handle, nil)
    }
}
