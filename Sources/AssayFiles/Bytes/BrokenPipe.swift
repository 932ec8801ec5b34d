#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What came of one call of the system's `write`.
enum Written {
    case bytes(Int)
    /// The system's error number.
    case failure(Int32)

    init(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) {
        #if canImport(Darwin)
            let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
        self = count >= 0 ? .bytes(count) : .failure(errno)
    }

    /// Whether all was written, as far as one knows: then nobody has had cause to raise a signal.
    fileprivate func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .bytes(bytes.count) = self { true } else { false }
    }
}

#if canImport(Darwin)
    /// Writes to a pipe or socket. What nobody reads any more fails with `EPIPE`, and the process gets no SIGPIPE.
    func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
        // The signal would be the process's and not this thread's. A descriptor can be told to raise none; others may have it, too, who
        // want the signal.
        let raises = fcntl(descriptor, F_GETNOSIGPIPE) == 0
        if raises { _ = fcntl(descriptor, F_SETNOSIGPIPE, 1) }
        let written = Written(descriptor, bytes)
        if raises { _ = fcntl(descriptor, F_SETNOSIGPIPE, 0) }
        return written
    }
#else
    /// Writes to a pipe or socket. What nobody reads any more fails with `EPIPE`, and the process gets no SIGPIPE.
    ///
    /// The signal is this thread's: it is blocked meanwhile, and taken if the write has raised it. One that was there before stays.
    func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
        var (signal, before) = (sigset_t(), sigset_t())
        sigemptyset(&signal)
        sigaddset(&signal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signal, &before)
        let wasBlocked = sigismember(&before, SIGPIPE) == 1
        let wasPending = wasBlocked && isPending(SIGPIPE)
        let written = Written(descriptor, bytes)
        // A reader may also go when some of it has been written.
        if !wasPending && !written.isWhole(bytes) {
            var atOnce = timespec()
            while sigtimedwait(&signal, nil, &atOnce) < 0 && errno == EINTR {}
        }
        if !wasBlocked { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return written
    }

    private func isPending(_ number: Int32) -> Bool {
        var pending = sigset_t()
        return sigpending(&pending) == 0 && sigismember(&pending, number) == 1
    }
#endif
