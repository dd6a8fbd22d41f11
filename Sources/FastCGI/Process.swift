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
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if unsafe getrlimit(resource, &limit) == 0 {
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
}
