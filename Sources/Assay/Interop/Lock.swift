#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A value that one thread at a time may use: what `Synchronization.Mutex` is, and good in a child process too.
///
/// That one writes down the kernel's number of the thread that holds it. On Linux the number is asked for once in a
/// thread, so that the thread that forks goes on in the child with its number in the parent, and the kernel ends the wait
/// of whoever wants the lock meanwhile with an error, which ends the process (Swift 6.3, `_SynchronizationShims.h`). Hosts
/// such as Python's `multiprocessing` and Spark fork. A mutex of POSIX (IEEE 1003.1, `pthread_mutex_lock`) that nobody
/// holds at the fork is like new.
///
/// Not recursive. Waiting is fair only as far as the system is.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // SAFETY: the mutex never moves, and the value is reached only by whoever holds it.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initial: sending Value) {
        pthread_mutex_init(mutex, nil)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        value.deallocate()
        mutex.deallocate()
    }

    /// Waits until no other thread uses the value.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// `nil`, without waiting, while another thread uses the value.
    package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
