internal import Synchronization

/// Hands out the chunks of a table or an array to the threads that work on it, and passes on how far they are.
///
///     rows      0 ┌────────┬────────┬────────┬───┐ count
///     chunks      │ thread │ thread │ thread │ … │      each goes to the thread that asks next
///                 └────────┴────────┴────────┴───┘
///
/// One atomic addition a chunk is all that the threads share, besides the progress.
package final class ChunkQueue: Sendable {
    /// The rows of all chunks together.
    package let count: Int
    private let chunkRows: Int
    private let next = Atomic(0)
    private let stopped = Atomic(false)
    private let completed = Lock(0)
    private let progress: (@Sendable (BulkProgress) -> BulkControl)?

    /// - Parameters:
    ///   - chunkRows: a multiple of 64, so that threads write different words of a mask.
    ///   - progress: called after each chunk by the thread that finished it, but never by two at once.
    package init(
        count: Int, chunkRows: Int, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) {
        precondition(chunkRows % 64 == 0, "chunks are whole words of a mask")
        (self.count, self.chunkRows, self.progress) = (count, chunkRows, progress)
    }

    /// How many threads have anything to do.
    package func threads(atMost most: Int) -> Int { max(1, min(most, (count + chunkRows - 1) / chunkRows)) }

    /// The rows of the next chunk; `nil` when there is none, or the work was stopped.
    package func take() -> Range<Int>? {
        if isStopped { return nil }
        let first = next.wrappingAdd(1, ordering: .relaxed).oldValue * chunkRows
        return first < count ? first..<min(count, first + chunkRows) : nil
    }

    /// Counts the rows of a chunk as done.
    package func finish(_ rows: Range<Int>) {
        guard let progress else { return }
        completed.withLock { completed in
            completed += rows.count
            if !isStopped, progress(BulkProgress(completed: completed, total: count)) == .cancel { stop() }
        }
    }

    /// No further chunk is handed out.
    package func stop() { stopped.store(true, ordering: .relaxed) }

    /// Whether ``stop()`` was called, by the progress or a thread.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }
}
