#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Makes sure that 0, 1 and 2 are open, so that no file of ours gets one of these numbers and what is meant for the terminal.
func openClosedDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
        // The lowest free number is the one that is closed, since those below it are open by now. The wrong way round: what
        // is read from an input that is closed, and written to an output, must fail and not vanish.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// How many more files may be open at once, once that is as many as the system allows: many inputs are.
let freeOpenFiles: Int = {
    // What the parent left open has low numbers.
    let open = (0..<256).count { fcntl($0, F_GETFD) >= 0 }
    // A few more for what the system opens for itself, and one for each output of the input that is run.
    return openFileLimit - open - 9
}()

/// How many files may be open at once.
let openFileLimit: Int = {
    var limit = rlimit()
    #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let files = RLIMIT_NOFILE
    #endif
    guard getrlimit(files, &limit) == 0 else { return 256 }
    let given = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    return Int(clamping: setrlimit(files, &limit) == 0 ? limit.rlim_max : given)
}()
