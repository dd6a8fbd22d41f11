internal import Glibc

/// Seconds on the clock that nobody sets.
@Sendable package func monotonicSeconds() -> Int {
    monotonicTime().tv_sec
}

/// Milliseconds on the clock that nobody sets.
func monotonicMilliseconds() -> Int {
    let time = monotonicTime()
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

/// Microseconds on the clock that nobody sets.
func monotonicMicroseconds() -> Int {
    let time = monotonicTime()
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}

/// The time on the clock that nobody sets.
func monotonicTime() -> timespec {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time
}
