import CAssaySystem

/// Opens the descriptors 0, 1 and 2 if they are closed, so that no other file gets these numbers and receives terminal
/// output.
func openClosedDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
        // `open` returns the lowest free number, which is this one, because all lower numbers are open by now. The
        // direction is reversed, so that reads from closed inputs and writes to closed outputs fail instead of
        // succeeding silently.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// The number of additional files that may be open at once, after raising the limit to the maximum of the system.
let freeOpenFiles: Int = {
    // Descriptors that the parent process left open have low numbers.
    let open = (0..<256).count { fcntl($0, F_GETFD) >= 0 }
    // Reserve a few descriptors for system libraries, and one for each output of the current input.
    return openFileLimit - open - 9
}()

/// The maximum number of open files.
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
