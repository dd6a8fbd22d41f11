internal import Glibc

/// Readies the process for serving: as many descriptors as allowed, and no end by a peer that has left.
func prepareProcess() {
    // The failed write tells as well.
    signal(SIGPIPE, SIG_IGN)
    var limit = rlimit()
    if unsafe getrlimit(openFiles, &limit) == 0 {
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(openFiles, &limit)
    }
}

/// How many descriptors the process may have open.
func openFileLimit() -> Int {
    var limit = rlimit()
    return unsafe getrlimit(openFiles, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 1024
}

private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
