internal import Glibc

/// Signals that are waited for rather than handled.
@safe struct SignalSet {
    private var set = sigset_t()

    /// The given signals.
    init(_ signals: Int32...) {
        unsafe sigemptyset(&set)
        for signal in signals {
            unsafe sigaddset(&set, signal)
        }
    }

    /// Keeps the signals pending, in this thread and those it starts.
    func block() {
        var set = set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of the signals.
    ///
    /// - Parameter seconds: how long to wait at most.
    /// - Returns: the signal; nil if none came.
    func next(within seconds: Int) -> Int32? {
        var set = set
        var limit = timespec(tv_sec: seconds, tv_nsec: 0)
        let signal = unsafe sigtimedwait(&set, nil, &limit)
        return signal > 0 ? signal : nil
    }
}
