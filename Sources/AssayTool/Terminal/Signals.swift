import AssayFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What happens when somebody wants the process to end.
///
/// SIGINT, SIGTERM and SIGHUP are blocked in every thread and awaited by one of their own, so that what follows is ordinary
/// code and not a signal handler: temporary files are removed, and the process dies of the signal, as its parent expects
/// to see it.
enum Signals {
    static func install() {
        signal(SIGPIPE, SIG_IGN)
        var awaited = sigset_t()
        sigemptyset(&awaited)
        // A signal that is ignored (nohup, a background job) stays ignored.
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&awaited, number) }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)

        let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
        set.initialize(to: awaited)
        #if canImport(Darwin)
            var thread: pthread_t?
            pthread_create(&thread, nil, { awaitSignal($0.assumingMemoryBound(to: sigset_t.self)) }, set)
        #else
            var thread = pthread_t()
            pthread_create(&thread, nil, { awaitSignal($0!.assumingMemoryBound(to: sigset_t.self)) }, set)
        #endif
    }

    private static func awaitSignal(_ set: UnsafePointer<sigset_t>) -> UnsafeMutableRawPointer? {
        var number: Int32 = 0
        while sigwait(set, &number) != 0 {}
        StagedFile.removeAllForExit()
        Progress.clear()
        die(of: number)
    }

    /// Ends as a filter does whose reader has gone: quietly, of SIGPIPE.
    static func dieOfBrokenPipe() -> Never {
        StagedFile.removeAllForExit()
        die(of: SIGPIPE)
    }

    private static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
        // Another thread may be the one to receive it: wait for the end.
        while true { pause() }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }
}
