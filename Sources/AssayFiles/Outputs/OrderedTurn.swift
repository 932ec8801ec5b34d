#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Lets workers that finish in any order write in the order of the file.
///
/// A worker waits until all before it have written; its own number is the ticket. A worker that fails abandons the run, and
/// nobody waits any more. Since each worker does everything from reading to writing itself, the one whose turn it is never
/// waits for another: there is no deadlock to fall into.
final class OrderedTurn: Sendable {
    // SAFETY: initialized in `init`, destroyed in `deinit`, and otherwise only used through the pthread calls, which are
    // made for many threads.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // SAFETY: read and written only while the mutex is held.
    nonisolated(unsafe) private var turn = 0
    nonisolated(unsafe) private var abandoned = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    /// Runs `body` when it is `number`'s turn, and passes the turn on. Returns `false`, without running it, when the run was
    /// abandoned.
    func take(_ number: Int, _ body: () throws(FileError) -> Void) throws(FileError) -> Bool {
        pthread_mutex_lock(mutex)
        while turn != number && !abandoned { pthread_cond_wait(condition, mutex) }
        let stopped = abandoned
        pthread_mutex_unlock(mutex)
        if stopped { return false }

        // Whoever's turn it is is alone here: the others wait above.
        do throws(FileError) {
            try body()
        } catch {
            abandon()
            throw error
        }
        pthread_mutex_lock(mutex)
        turn += 1
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
        return true
    }

    /// Ends the waiting of all.
    func abandon() {
        pthread_mutex_lock(mutex)
        abandoned = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}
