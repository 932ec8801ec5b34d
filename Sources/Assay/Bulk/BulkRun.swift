internal import CAssay
internal import Dispatch

/// The number of values per chunk. It must be a multiple of 64, so that chunks write different words of the masks, and
/// is large enough to make the cost of distribution negligible.
let bulkChunk = 4096

/// Runs `work` over all chunks of `count` values on several threads.
///
/// A value that is undecided when the budget is exhausted counts as over the budget, and so do all later values.
///
/// Each worker has its own state, created by `makeWorker`, and takes chunks from a ``ChunkQueue``. It writes only to
/// the words of its chunks.
func runBulk<Worker: ~Copyable>(
    count: Int, threads: Int?, budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?,
    makeWorker: @Sendable (BudgetAccount?) -> Worker,
    work: @Sendable (inout Worker, _ rows: Range<Int>, _ bits: VerdictBits) -> Void
) throws(BulkError) -> VerdictMask {
    let words = maskWords(count)
    let queue = ChunkQueue(count: count, chunkRows: bulkChunk, progress: progress)
    let threads = queue.threads(atMost: threads ?? processorCount)
    let account = budget.map { BudgetAccount($0, threads: threads) }
    // The masks of the values over the budget, by the first word of their chunk.
    let over = Lock<[Int: [UInt64]]>([:])

    var undecided: [UInt64] = []
    let failed = [UInt64](unsafeUninitializedCapacity: words) { failedWords, initialized in
        undecided = [UInt64](unsafeUninitializedCapacity: words) { undecidedWords, initialized in
            failedWords.update(repeating: 0)
            undecidedWords.update(repeating: 0)
            // SAFETY: only chunk i writes words [64 i, 64 i + 64) of each mask. Both arrays outlive the loop, because
            // concurrentPerform returns after the last worker is done.
            nonisolated(unsafe) let failedBase = failedWords.baseAddress
            nonisolated(unsafe) let undecidedBase = undecidedWords.baseAddress

            @Sendable func drain() {
                guard let failedBase, let undecidedBase else { return }
                var worker = makeWorker(account)
                while let rows = queue.take() {
                    let word = rows.lowerBound / 64
                    let bits = VerdictBits(failed: failedBase + word, undecided: undecidedBase + word)
                    if let account, account.isSpent {
                        for word in 0..<maskWords(rows.count) {
                            bits.undecided[word] = lowBits(rows.count - 64 * word)
                        }
                    } else {
                        work(&worker, rows, bits)
                    }
                    if let account, account.isSpent {
                        let words = Array(UnsafeBufferPointer(start: bits.undecided, count: maskWords(rows.count)))
                        over.withLock { $0[word] = words }
                    }
                    queue.finish(rows)
                }
            }

            // One time for all values, which other threads do not inherit.
            let now = Timestamp.current
            if threads == 1 {
                Timestamp.$fixed.withValue(now) { drain() }
            } else {
                DispatchQueue.concurrentPerform(iterations: threads) { _ in
                    Timestamp.$fixed.withValue(now) { drain() }
                }
            }
            initialized = words
        }
        initialized = words
    }
    if queue.isStopped { throw .cancelled }
    return VerdictMask(count: count, failed: failed, undecided: undecided, over: over.withLock { $0 })
}

/// The number of processors that this process may run on.
package let processorCount = assay_cpu_count()
