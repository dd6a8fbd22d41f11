internal import CFastCGI
internal import Glibc

/// Readies the process for serving: the library, its signal handlers undone, and as many descriptors as allowed.
func prepareProcess() {
    FCGX_Init()
    // The library installs handlers for these; SIGTERM and SIGUSR1 belong to the program, and a peer that
    // has left is noticed by the failed write.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGUSR1, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
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
