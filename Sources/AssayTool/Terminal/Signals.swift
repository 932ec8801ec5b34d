import AssayFiles
import CAssaySystem

/// Cleans up when a signal ends the process.
///
/// All threads block the signals that end a process, and one thread waits for them, so that the cleanup is ordinary
/// code and not a signal handler. It removes temporary files and then ends the process with the same signal, as the
/// parent process expects. Signals of a crash are not handled, and SIGKILL cannot be handled.
enum Signals {
    static func install() {
        signal(SIGPIPE, SIG_IGN)
        // A write past the file size limit of the shell must fail with an error, so that the usual cleanup runs.
        signal(SIGXFSZ, SIG_IGN)
        // Leave ignored signals ignored (nohup, background jobs), and leave handled signals to their handlers
        // (profilers).
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
            // Without the thread, the signals must keep their default action, although temporary files remain.
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            return
        }
        // On a loaded machine, the run can finish before the thread is scheduled, but outputs must not be published
        // after the signal.
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

    /// The signals that end a process by default and are sent by another process, a timer or a limit.
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

    /// Ends like a filter with a closed output pipe: without a message, by SIGPIPE.
    static func dieOfBrokenPipe() -> Never {
        StagedFile.removeAllForExit()
        die(of: SIGPIPE)
    }

    private static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = signalSet([number])
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
        // Another thread may receive the signal: wait for the end.
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
