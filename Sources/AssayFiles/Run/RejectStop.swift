internal import Assay
internal import Synchronization

/// Ends a run at the nth rejected record, regardless of the worker that checks it.
///
///     chunk 0     3 rejects    ──► kept whole            counted in the order of the table, after the check
///     chunk 1     9 rejects    ──► ends at its 7th    (of --stop-after 10)
///     chunk 2     …            ──► not counted and not written
///
/// The counts and outputs are therefore equal for any number of threads: as if the table ended there.
final class RejectStop: Sendable {
    private let most: Int
    private let sequencer: TicketSequencer
    /// The number of rejected records so far. Changed only during a worker's turn.
    private let rejected = Atomic(0)
    private let isOver = Atomic(false)

    /// - Parameter most: The number of rejected records that ends the run, at least 1.
    init(after most: Int, spinsBeforeParking: Bool) {
        self.most = most
        sequencer = TicketSequencer(spinsBeforeParking: spinsBeforeParking)
    }

    /// Whether the record that ends the run has been found.
    var isReached: Bool { isOver.load(ordering: .acquiring) }

    /// The decision about a chunk.
    enum Answer {
        case goesOn
        /// The chunk ends with the nth of its rejected records.
        case endsAt(Int)
        /// The run ended before the chunk.
        case isDropped
    }

    /// Counts the rejected records of a chunk after those of all earlier chunks.
    func count(_ rejects: Int, ticket: Int) throws(FileError) -> Answer {
        var answer = Answer.isDropped
        _ = try sequencer.run(ticket: ticket) { () throws(FileError) in
            let before = rejected.wrappingAdd(rejects, ordering: .relaxed).oldValue
            answer = before + rejects < most ? .goesOn : .endsAt(most - before)
            if case .endsAt = answer {
                isOver.store(true, ordering: .releasing)
                sequencer.cancel()
            }
        }
        return answer
    }

    /// Ends all waiting because the run has failed.
    func cancel() { sequencer.cancel() }
}
