internal import CAssaySystem

/// The result of one `write` call.
enum Written {
    case bytes(Int)
    /// The `errno` value.
    case failure(Int32)

    /// Calls the system. The result is a positive count or an error: a device that accepts no bytes without reporting
    /// an error is full, and retrying would loop forever.
    ///
    /// - Precondition: There are bytes to write.
    fileprivate init(_ write: () -> Int) {
        let count = uninterrupted(write)
        self = count > 0 ? .bytes(count) : .failure(count == 0 ? ENOSPC : errno)
    }

    /// Whether all bytes were written. If so, the write cannot have raised a signal.
    fileprivate func isComplete(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .bytes(bytes.count) = self { true } else { false }
    }
}

/// An open file for writing. Its writes raise no signals, because the process may belong to a host program: a pipe
/// without a reader (`EPIPE`) and a file that reaches its size limit (`EFBIG`) are errors. It does not own the
/// descriptor.
struct WritableDescriptor {
    let number: Int32
    /// The signal that a write may raise. `nil` if a write cannot raise one.
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

    /// Writes at the current position of the descriptor.
    func write(_ bytes: UnsafeRawBufferPointer) -> Written {
        quietly(bytes) {
            CAssaySystem.write(number, bytes.baseAddress, bytes.count)
        }
    }

    /// Writes all bytes at an offset.
    ///
    /// - Returns: 0, or an `errno` value.
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
            // The signal is sent to the process, not to this thread. F_SETNOSIGPIPE disables SIGPIPE for the pipe, and
            // must be undone because others who use the pipe may want the signal. SIGXFSZ cannot be disabled in this
            // way.
            let raises = signal == SIGPIPE && fcntl(number, F_GETNOSIGPIPE) == 0
            if raises { _ = fcntl(number, F_SETNOSIGPIPE, 1) }
            let written = Written(write)
            if raises { _ = fcntl(number, F_SETNOSIGPIPE, 0) }
            return written
        }
    #else
        /// Blocks the signal for this thread during the write, and consumes it if the write raised it. A signal that
        /// was pending before remains pending.
        private func quietly(_ bytes: UnsafeRawBufferPointer, _ write: () -> Int) -> Written {
            guard let signal else { return Written(write) }
            var (signals, before) = (sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, signal)
            pthread_sigmask(SIG_BLOCK, &signals, &before)
            let wasBlocked = sigismember(&before, signal) == 1
            let wasPending = wasBlocked && isPending(signal)
            let written = Written(write)
            // The signal may also be raised after a partial write.
            if !wasPending && !written.isComplete(bytes) {
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

/// Whether the process has a limit on file sizes.
private func limitsFileSizes() -> Bool {
    var limit = rlimit()
    #if canImport(Glibc)
        let sizes = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let sizes = RLIMIT_FSIZE
    #endif
    return getrlimit(sizes, &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
}
