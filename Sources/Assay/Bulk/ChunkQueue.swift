internal import Synchronization

/// Distributes the chunks of a table or an array among worker threads, and reports their progress.
///
///     rows      0 ┌────────┬────────┬────────┬───┐ count
///     chunks      │ thread │ thread │ thread │ … │      the next free thread takes the next chunk
///                 └────────┴────────┴────────┴───┘
///
/// Except for the progress, the threads share one atomic addition for each chunk.
package final class ChunkQueue: Sendable {
    /// The number of rows of all chunks.
    package let count: Int
    private let chunkRows: Int
    private let next = Atomic(0)
    private let stopped = Atomic(false)
    private let completed = Lock(0)
    private let progress: (@Sendable (BulkProgress) -> BulkControl)?

    /// - Parameters:
    ///   - chunkRows: A multiple of 64, so that threads write different words of a mask.
    ///   - progress: Called after each chunk by the thread that finished it. Calls never overlap.
    package init(
        count: Int, chunkRows: Int, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) {
        precondition(chunkRows % 64 == 0, "chunks are whole words of a mask")
        (self.count, self.chunkRows, self.progress) = (count, chunkRows, progress)
    }

    /// The number of threads that can get a chunk, at most `limit` and at least 1.
    package func threads(atMost limit: Int) -> Int { max(1, min(limit, (count + chunkRows - 1) / chunkRows)) }

    /// The rows of the next chunk; `nil` after the last chunk or after ``stop()``.
    package func take() -> Range<Int>? {
        if isStopped { return nil }
        let first = next.wrappingAdd(1, ordering: .relaxed).oldValue * chunkRows
        return first < count ? first..<min(count, first + chunkRows) : nil
    }

    /// Counts the rows of a chunk as completed and calls the progress callback.
    package func finish(_ rows: Range<Int>) {
        guard let progress else { return }
        completed.withLock { completed in
            completed += rows.count
            if !isStopped, progress(BulkProgress(completed: completed, total: count)) == .cancel { stop() }
        }
    }

    /// Makes ``take()`` return `nil` from now on.
    package func stop() { stopped.store(true, ordering: .relaxed) }

    /// Whether ``stop()`` was called, by the progress callback or by a thread.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }
}
