internal import CAssay
internal import CAssaySystem
internal import Synchronization

/// The forks of this process, and the locks that a fork waits for.
///
/// A child process has only the thread that forked. A lock that another thread held would stay locked in the child, so
/// a fork first takes the locks of the whole process, always in the same order (IEEE 1003.1, `pthread_atfork`):
///
///     prepare   lock 1, 2, 3, and that of executable memory (assay_before_fork)
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
    private static let lockCount = Atomic(0)
    /// The locks in their order; `nil` while a thread adds one.
    // SAFETY: allocated once, and never freed; the elements are atomic.
    nonisolated(unsafe) private static let locks = {
        let locks = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<pthread_mutex_t>?>>.allocate(capacity: maxLocks)
        for index in 0..<maxLocks { (locks + index).initialize(to: Atomic(nil)) }
        return locks
    }()
    /// The number of locks that the current fork holds.
    // SAFETY: only the thread that holds the first lock uses it.
    nonisolated(unsafe) private static var held = 0
    private static let hasHandlers = pthread_atfork({ prepare() }, { resume() }, { resumeChild() }) == 0

    /// Adds a lock that is never freed.
    static func hold(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        // Without handlers, because memory ran out, a fork does not wait.
        _ = hasHandlers
        let index = lockCount.wrappingAdd(1, ordering: .relaxed).oldValue
        precondition(index < maxLocks, "a process has at most \(maxLocks) locks of its own")
        locks[index].store(mutex, ordering: .releasing)
    }

    private static func prepare() {
        var count = 0
        while count < maxLocks, let mutex = locks[count].load(ordering: .acquiring) {
            pthread_mutex_lock(mutex)
            count += 1
        }
        if count > 0 { held = count }
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
        guard locks[0].load(ordering: .relaxed) != nil else { return }
        // The first lock is unlocked last, because it protects the count.
        for index in (0..<held).reversed() {
            if let mutex = locks[index].load(ordering: .relaxed) { pthread_mutex_unlock(mutex) }
        }
    }
}
