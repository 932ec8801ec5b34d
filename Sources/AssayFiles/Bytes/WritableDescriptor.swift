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

    /// Calls the system. It has taken some of the bytes, or failed: a device that takes no byte and reports no error is full, and
    /// would be asked for ever.
    ///
    /// - Precondition: there are bytes to write.
    fileprivate init(_ write: () -> Int) {
        let count = uninterrupted(write)
        self = count > 0 ? .bytes(count) : .failure(count == 0 ? ENOSPC : errno)
    }

    /// Whether all was written, as far as one knows: then nobody has had cause to raise a signal.
    fileprivate func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .bytes(bytes.count) = self { true } else { false }
    }
}

/// An open file that is written to, and whose writes raise no signal, since the process is somebody else's: that a pipe has lost its
/// reader (`EPIPE`), or that a file may not become so long (`EFBIG`), is an error. It does not own the descriptor.
struct WritableDescriptor {
    let number: Int32
    /// The signal that a write may raise; `nil`: none.
    private let signal: Int32?

    init(_ number: Int32) {
        self.number = number
        var status = stat()
        if fstat(number, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) {
            signal = SIGPIPE
        } else {
            signal = limitsFileSizes() ? SIGXFSZ : nil
        }
    }

    /// Writes where the descriptor is.
    func write(_ bytes: UnsafeRawBufferPointer) -> Written {
        quietly(bytes) {
            #if canImport(Darwin)
                Darwin.write(number, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
                Musl.write(number, bytes.baseAddress, bytes.count)
            #else
                Glibc.write(number, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    /// Writes all bytes at a place.
    ///
    /// - Returns: the system's error number, or 0.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let written = quietly(rest) {
                pwrite(number, rest.baseAddress, rest.count, off_t(place + bytes.count - rest.count))
            }
            switch written {
            case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            case .failure(let code): return code
            }
        }
        return 0
    }

    #if canImport(Darwin)
        private func quietly(_ bytes: UnsafeRawBufferPointer, _ write: () -> Int) -> Written {
            // The signal would be the process's and not this thread's. A pipe can be told to raise none; others may have it, too, who
            // want the signal. Of SIGXFSZ that cannot be said.
            let raises = signal == SIGPIPE && fcntl(number, F_GETNOSIGPIPE) == 0
            if raises { _ = fcntl(number, F_SETNOSIGPIPE, 1) }
            let written = Written(write)
            if raises { _ = fcntl(number, F_SETNOSIGPIPE, 0) }
            return written
        }
    #else
        /// The signal is this thread's: it is blocked meanwhile, and taken if the write has raised it. One that was there before stays.
        private func quietly(_ bytes: UnsafeRawBufferPointer, _ write: () -> Int) -> Written {
            guard let signal else { return Written(write) }
            var (signals, before) = (sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, signal)
            pthread_sigmask(SIG_BLOCK, &signals, &before)
            let wasBlocked = sigismember(&before, signal) == 1
            let wasPending = wasBlocked && isPending(signal)
            let written = Written(write)
            // It may also come when some of it has been written.
            if !wasPending && !written.isWhole(bytes) {
                var atOnce = timespec()
                while sigtimedwait(&signals, nil, &atOnce) < 0 && errno == EINTR {}
            }
            if !wasBlocked { pthread_sigmask(SIG_SETMASK, &before, nil) }
            return written
        }

        private func isPending(_ number: Int32) -> Bool {
            var pending = sigset_t()
            return sigpending(&pending) == 0 && sigismember(&pending, number) == 1
        }
    #endif
}

/// Whether the process has a limit of how long a file may become.
private func limitsFileSizes() -> Bool {
    var limit = rlimit()
    #if canImport(Glibc)
        let sizes = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let sizes = RLIMIT_FSIZE
    #endif
    return getrlimit(sizes, &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
}
