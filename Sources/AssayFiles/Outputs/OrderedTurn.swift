internal import CAssay
internal import Synchronization

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
    /// Changed only while the mutex is held, so that nobody goes to sleep and misses it.
    private let turn = Atomic(0)
    private let isPatient: Bool

    private static let abandoned = -1

    /// How long the worker that comes next stays awake: somewhat longer than it takes to write a chunk. To be woken takes tens of
    /// microseconds, and many more on a virtual machine that gave its processor back meanwhile.
    private static let patience = Duration.microseconds(150)

    /// - Parameter isPatient: whether each worker has a processor of its own, so that nobody is kept from working by one who waits.
    init(isPatient: Bool) {
        self.isPatient = isPatient
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
        guard wait(for: number) else { return false }
        // Whoever's turn it is is alone here: the others wait above.
        do throws(FileError) {
            try body()
        } catch {
            abandon()
            throw error
        }
        change { $0 == Self.abandoned ? $0 : $0 + 1 }
        return true
    }

    /// Whether all before `number` have written. If so, that stays so until it has written itself.
    func hasCome(to number: Int) -> Bool { turn.load(ordering: .acquiring) == number }

    /// Ends the waiting of all.
    func abandon() { change { _ in Self.abandoned } }

    private func wait(for number: Int) -> Bool {
        if isPatient && hasCome(to: number - 1) { stayAwake(before: number) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            let current = turn.load(ordering: .acquiring)
            if current == number || current == Self.abandoned { return current == number }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Until the turn has passed on, or patience is at an end.
    private func stayAwake(before number: Int) {
        let end = ContinuousClock.now + Self.patience
        while hasCome(to: number - 1) && ContinuousClock.now < end {
            for _ in 0..<16 { assay_cpu_pause() }
        }
    }

    private func change(_ next: (Int) -> Int) {
        pthread_mutex_lock(mutex)
        turn.store(next(turn.load(ordering: .relaxed)), ordering: .releasing)
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
    }
}
