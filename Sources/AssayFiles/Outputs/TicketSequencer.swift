internal import CAssay
internal import CAssaySystem
internal import Synchronization

/// A ticket sequencer: commits the work of workers that finish in any order in the order of their tickets.
///
/// A worker waits until all smaller tickets have committed. One that fails cancels the sequencer, which ends all
/// waiting. Each worker does everything from reading to writing itself, so the holder of the current ticket never waits
/// for another worker: there can be no deadlock, as long as each ticket that is handed out is run, or the sequencer is
/// cancelled.
///
/// A worker with its own processor parks until its ticket is next, and then spins to continue as soon as the previous
/// ticket has committed. If workers share processors, a waiting worker first yields its processor, because the worker
/// that it waits for may need it.
final class TicketSequencer: Sendable {
    // SAFETY: initialized in `init`, destroyed in `deinit`, and otherwise only used through the pthread calls, which
    // are made for many threads.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: slots)
    /// Changed only while the mutex is held, so that no worker parks and misses the change.
    private let current = Atomic(0)
    private let spinsBeforeParking: Bool
    /// The time for which tickets were held. Changed by their holders.
    private let held = Atomic(0)

    private static let cancelled = -1

    /// The number of places in which tickets park, so that a commit wakes only few threads.
    private static let slots = 64

    /// Somewhat longer than writing a chunk takes. Waking a parked thread takes tens of microseconds, and much longer
    /// on a virtual machine that has released its processor.
    private static let spinTime = Duration.microseconds(150)
    /// How often a worker without a processor of its own lets others go first before it parks.
    private static let maxYields = 64

    /// - Parameter spinsBeforeParking: Whether each worker has its own processor, so that spinning does not block other
    ///   workers.
    init(spinsBeforeParking: Bool) {
        self.spinsBeforeParking = spinsBeforeParking
        pthread_mutex_init(mutex, nil)
        for slot in 0..<Self.slots { pthread_cond_init(conditions + slot, nil) }
    }

    deinit {
        pthread_mutex_destroy(mutex)
        for slot in 0..<Self.slots { pthread_cond_destroy(conditions + slot) }
        mutex.deallocate()
        conditions.deallocate()
    }

    /// Runs `body` once `ticket` is the current one, and makes the next ticket current. Returns `false`, without
    /// running it, when the sequencer was cancelled.
    func run(ticket: Int, _ body: () throws(FileError) -> Void) throws(FileError) -> Bool {
        guard wait(for: ticket) else { return false }
        // Only the holder of the current ticket comes here: the others wait above.
        let start = nanoseconds()
        do throws(FileError) {
            try body()
        } catch {
            cancel()
            throw error
        }
        // The time for waking the next thread is not included, because that thread may continue before the call
        // returns.
        held.wrappingAdd(nanoseconds() - start, ordering: .relaxed)
        change { $0 == Self.cancelled ? $0 : $0 + 1 }
        return true
    }

    /// Makes a ticket the current one, before any has committed.
    func start(at ticket: Int) { change { $0 == Self.cancelled ? $0 : ticket } }

    /// The time of work that only one thread can do at a time, in nanoseconds.
    var heldNanoseconds: Int { held.load(ordering: .relaxed) }

    /// Whether all smaller tickets have committed. If so, `ticket` stays the current one until it has committed itself.
    func isCurrent(_ ticket: Int) -> Bool { current.load(ordering: .acquiring) == ticket }

    /// Waits until all tickets smaller than this one have committed, or the sequencer was cancelled.
    func wait(until ticket: Int) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            let current = current.load(ordering: .acquiring)
            if current >= ticket || current == Self.cancelled { return }
            park(ticket)
        }
    }

    var isCancelled: Bool { isCurrent(Self.cancelled) }

    /// Wakes all waiting threads. They get no turn.
    func cancel() { change { _ in Self.cancelled } }

    private func wait(for ticket: Int) -> Bool {
        while true {
            if spinsBeforeParking { spin(before: ticket) } else { giveWay(before: ticket) }
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            let current = current.load(ordering: .acquiring)
            if current == ticket || current == Self.cancelled { return current == ticket }
            park(ticket)
        }
    }

    /// Sleeps until something has changed for a ticket. Only while the mutex is held.
    private func park(_ ticket: Int) { pthread_cond_wait(conditions + ticket % Self.slots, mutex) }

    /// Waits awake while the ticket before this one is current, for ``spinTime`` at most.
    private func spin(before ticket: Int) {
        let end = ContinuousClock.now + Self.spinTime
        while isCurrent(ticket - 1) && ContinuousClock.now < end {
            for _ in 0..<16 { assay_cpu_pause() }
        }
    }

    /// Lets other threads have the processor until the ticket is current, a bounded number of times.
    private func giveWay(before ticket: Int) {
        for _ in 0..<Self.maxYields {
            let current = current.load(ordering: .acquiring)
            if current == ticket || current == Self.cancelled { return }
            sched_yield()
        }
    }

    private func change(_ next: (Int) -> Int) {
        pthread_mutex_lock(mutex)
        let before = current.load(ordering: .relaxed)
        let now = next(before)
        current.store(now, ordering: .releasing)
        pthread_mutex_unlock(mutex)
        guard now == before + 1 else { return (0..<Self.slots).forEach { wake($0) } }
        wake(now)
        // It spins while the one before it works.
        if spinsBeforeParking { wake(now + 1) }
    }

    private func wake(_ ticket: Int) { pthread_cond_broadcast(conditions + ticket % Self.slots) }
}
