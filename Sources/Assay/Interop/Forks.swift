internal import CAssay
internal import CAssaySystem
internal import Synchronization

/// The forks of this process, and the locks that a fork waits for.
///
/// A child process has only the thread that forked. A lock that another thread held would stay locked in the child, so
/// a fork first takes the locks of the whole process, always in the same order (IEEE 1003.1, `pthread_atfork`):
///
///     prepare   the lock of the list, lock 1, 2, 3, and that of executable memory (assay_before_fork)
///     fork
///     parent    unlock them
///     child     unlock them, and count the fork
///
/// Code that holds one of these locks must not fork, or take another one of Swift. Locks of single objects are not
/// included: they are only tried, or belong to one call.
package enum Forks {
    /// The number of forks between the first process that used a lock of the whole process and this one.
    package static var count: Int { forks.load(ordering: .relaxed) }

    private static let forks = Atomic(0)
    private static let maxLocks = 16
    /// Protects the list of locks. A fork holds it to its end, so that forks and additions exclude each other.
    // SAFETY: allocated once, and never freed.
    nonisolated(unsafe) private static let registration = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        return mutex
    }()
    /// The locks in their order.
    // SAFETY: only used while `registration` is locked. The memory is reserved once, because a child process must not
    // allocate.
    nonisolated(unsafe) private static var locks = {
        var locks: [UnsafeMutablePointer<pthread_mutex_t>] = []
        locks.reserveCapacity(maxLocks)
        return locks
    }()
    private static let hasHandlers = pthread_atfork({ prepare() }, { resume() }, { resumeChild() }) == 0

    /// Adds a lock that is never freed.
    static func hold(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_mutex_lock(registration)
        precondition(locks.count < maxLocks, "a process has at most \(maxLocks) locks of its own")
        locks.append(mutex)
        pthread_mutex_unlock(registration)
        // Afterwards, because a handler needs the list. Without handlers, because memory ran out, a fork does not wait.
        _ = hasHandlers
    }

    private static func prepare() {
        pthread_mutex_lock(registration)
        for mutex in locks { pthread_mutex_lock(mutex) }
        // The last one, because code that holds another lock may free a pattern.
        assay_before_fork()
    }

    private static func resume() {
        assay_after_fork()
        unlock()
    }

    private static func resumeChild() {
        forks.wrappingAdd(1, ordering: .relaxed)
        assay_after_fork_in_child()
        unlock()
    }

    private static func unlock() {
        for mutex in locks.reversed() { pthread_mutex_unlock(mutex) }
        pthread_mutex_unlock(registration)
    }
}
