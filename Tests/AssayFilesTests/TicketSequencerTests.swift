import Assay
import Foundation
import Synchronization
import Testing

@testable import AssayFiles

@Suite("Tickets commit in their order")
struct TicketSequencerTests {
    @Test(arguments: [true, false], [1, 2, 9, 80])
    func inOrder(spins: Bool, threads: Int) {
        let sequencer = TicketSequencer(spinsBeforeParking: spins)
        let count = 3_000
        let next = Atomic(0)
        let committed = Lock<[Int]>([])
        let waited = Atomic(0)
        onThreads(threads) {
            while true {
                let ticket = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard ticket < count else { break }
                // Some tickets are late, so that the threads of later tickets park.
                if ticket % 257 == 0 { for _ in 0..<200_000 where sequencer.isCancelled { break } }
                #expect(try! sequencer.run(ticket: ticket) { committed.withLock { $0.append(ticket) } })
            }
            sequencer.wait(until: count)
            waited.wrappingAdd(committed.withLock { $0.count == count } ? 1 : 0, ordering: .relaxed)
        }
        #expect(committed.withLock { $0.elementsEqual(0..<count) })
        #expect(waited.load(ordering: .relaxed) == threads)
    }

    @Test(arguments: [true, false])
    func cancellingEndsAllWaiting(spins: Bool) {
        let sequencer = TicketSequencer(spinsBeforeParking: spins)
        let next = Atomic(0)
        let caller = pthread_self()
        onThreads(70) {
            // The other threads have been started before. Ticket 0 never runs.
            if pthread_equal(caller, pthread_self()) != 0 { return sequencer.cancel() }
            let number = next.wrappingAdd(1, ordering: .relaxed).newValue
            if number == 1 { return sequencer.wait(until: 100) }
            #expect(try! !sequencer.run(ticket: number) { Issue.record("ran a ticket out of order") })
        }
        #expect(sequencer.isCancelled)
    }
}
