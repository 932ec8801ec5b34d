internal import Assay
internal import Synchronization

/// Ends a run at the record that is the nth rejected one, whoever of the workers judges it.
///
///     chunk 0     3 rejects    ──► goes on whole      each asked in the order of the table, when it is judged
///     chunk 1     9 rejects    ──► ends at its 7th    (of --stop-after 10)
///     chunk 2     …            ──► nothing of it is counted or written
///
/// What is counted and written is thus the same for any number of threads: as if the table ended there.
final class RejectStop: Sendable {
    private let most: Int
    private let sequencer: TicketSequencer
    /// Rejected records so far. Changed by the worker whose turn it is.
    private let rejected = Atomic(0)
    private let isOver = Atomic(false)

    /// - Parameter most: how many rejected records end the run; 1 or more.
    init(after most: Int, spinsBeforeParking: Bool) {
        self.most = most
        sequencer = TicketSequencer(spinsBeforeParking: spinsBeforeParking)
    }

    /// Whether the record has been found at which the run ends.
    var isReached: Bool { isOver.load(ordering: .acquiring) }

    /// What becomes of a chunk.
    enum Answer {
        case goesOn
        /// It ends with the nth of its rejected records.
        case endsAt(Int)
        /// The run has ended before it.
        case isDropped
    }

    /// Counts the rejected records of a chunk, once those of all chunks before are counted.
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

    /// Ends all waiting: the run has failed.
    func cancel() { sequencer.cancel() }
}
