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
/// The signals that end a process are blocked in every thread and awaited by one of their own, so that what follows is
/// ordinary code and not a signal handler: temporary files are removed, and the process dies of the signal, as its parent
/// expects to see it. Not among them are those of a crash, and SIGKILL, which nobody can catch.
enum Signals {
    static func install() {
        signal(SIGPIPE, SIG_IGN)
        // A file that grows over the limit of the shell is an error of the write, which cleans up.
        signal(SIGXFSZ, SIG_IGN)
        // A signal that is ignored (nohup, a background job) stays ignored; one that is handled (a profiler) is not ours.
        let numbers = endings.filter { hasDefaultAction($0) }
        var awaited = signalSet(numbers)
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let isAwaited = runDetached {
            var awaited = signalSet(numbers)
            var number: Int32 = 0
            while sigwait(&awaited, &number) != 0 {}
            end(by: number)
        }
        guard isAwaited else {
            // Without the thread the signals end the process as they always do, temporary files or not.
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            return
        }
        // On a loaded machine the run can reach its end before that thread is scheduled. Outputs must not be published after the
        // signal.
        StagedFile.beforePublishing {
            var pending = sigset_t()
            guard sigpending(&pending) == 0 else { return }
            if let number = numbers.first(where: { sigismember(&pending, $0) == 1 }) { end(by: number) }
        }
    }

    private static func end(by number: Int32) -> Never {
        StagedFile.removeAllForExit()
        Progress.clear()
        die(of: number)
    }

    /// The signals whose default action is the end, sent by somebody, a timer or a limit.
    private static var endings: [Int32] {
        let everywhere = [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
        ]
        #if canImport(Darwin)
            return everywhere
        #else
            return everywhere + [SIGIO, SIGPWR, SIGSTKFLT]
                + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #endif
    }

    /// Ends as a filter does whose reader has gone: quietly, of SIGPIPE.
    static func dieOfBrokenPipe() -> Never {
        StagedFile.removeAllForExit()
        die(of: SIGPIPE)
    }

    private static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = signalSet([number])
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
        // Another thread may be the one to receive it: wait for the end.
        while true { pause() }
    }

    private static func signalSet(_ numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    private static func hasDefaultAction(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
                == unsafeBitCast(SIG_DFL, to: Int.self)
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_DFL, to: Int.self)
        #endif
    }
}
