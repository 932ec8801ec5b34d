import AssayFiles
import CAssaySystem
import Testing

/// SIGPIPE ends the test process, like most processes, so an unsuppressed signal would end all tests.
struct DescriptorSinkTests {
    /// The error of a write to a pipe without a reader.
    private func errorOfBrokenPipe() throws -> FileError? {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        return #expect(throws: FileError.self) {
            try DescriptorSink(descriptor: ends[1], name: "the pipe").write([1, 2, 3])
        }
    }

    private func set(_ number: Int32) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        return set
    }

    @Test("a pipe without a reader is an error, and the signal is not blocked afterwards")
    func brokenPipe() throws {
        #expect(try errorOfBrokenPipe()?.code == EPIPE)
        var blocked = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &blocked)
        #expect(sigismember(&blocked, SIGPIPE) == 0)
    }

    #if !canImport(Darwin)
        @Test("a blocked signal is consumed only if the write caused it", arguments: [false, true])
        func blockedSignal(isPending: Bool) throws {
            var (signal, before, pending, atOnce) = (set(SIGPIPE), sigset_t(), sigset_t(), timespec())
            pthread_sigmask(SIG_BLOCK, &signal, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            if isPending { pthread_kill(pthread_self(), SIGPIPE) }
            #expect(try errorOfBrokenPipe()?.code == EPIPE)
            sigpending(&pending)
            #expect(sigismember(&pending, SIGPIPE) == (isPending ? 1 : 0))
            sigtimedwait(&signal, nil, &atOnce)
        }
    #endif
}
