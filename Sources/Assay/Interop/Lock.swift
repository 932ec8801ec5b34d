internal import CAssaySystem

/// A value that one thread at a time may use, like `Synchronization.Mutex`, but also usable in a child process.
///
/// `Synchronization.Mutex` records the kernel's number of the thread that holds it. On Linux, a thread requests its
/// number only once, so in a child process, the forking thread continues with its number in the parent. If another
/// thread then waits for the lock, the kernel returns an error, which ends the process (Swift 6.3,
/// `_SynchronizationShims.h`). Hosts such as Python's `multiprocessing` and Spark fork. A POSIX mutex (IEEE 1003.1,
/// `pthread_mutex_lock`) that is unlocked during the fork is like a new one in the child.
///
/// Not recursive, and as fair as the system's mutex.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // SAFETY: the mutex never moves, and only the thread that holds it accesses the value.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initial: sending Value) {
        pthread_mutex_init(mutex, nil)
        value.initialize(to: initial)
    }

    /// A lock of the whole process, for a static property. A fork waits until no thread holds it, so that it is
    /// unlocked in a child process (``Forks``).
    package init(ofProcess initial: sending Value) {
        self.init(initial)
        Forks.hold(mutex)
    }

    deinit {
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        value.deallocate()
        mutex.deallocate()
    }

    /// Waits until no other thread uses the value, then calls `body` with it.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Calls `body` with the value, or returns `nil` without waiting if another thread uses it.
    package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
