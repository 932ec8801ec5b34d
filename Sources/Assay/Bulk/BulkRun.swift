internal import CAssay
internal import Dispatch
internal import Synchronization

/// Values per chunk: a multiple of 64, so that chunks write different words of the masks, and enough that handing one out
/// costs nothing that can be seen.
let bulkChunk = 4096

/// Runs `work` over all chunks of `count` values on several threads.
///
/// Each worker has its own state, made by `makeWorker`, and takes the next chunk from a shared counter until there is none.
/// What a worker writes goes to the words of its chunk, which no other worker touches.
func runBulk<Worker: ~Copyable>(
    count: Int, threads: Int?, progress: (@Sendable (BulkProgress) -> BulkControl)?,
    makeWorker: @Sendable () -> Worker,
    work: @Sendable (inout Worker, _ rows: Range<Int>, _ bits: VerdictBits) -> Void
) throws(BulkError) -> VerdictMask {
    let words = maskWords(count)
    let chunks = (count + bulkChunk - 1) / bulkChunk
    let threads = max(1, min(threads ?? processorCount, chunks))
    let meter = progress.map { Meter(total: count, report: $0) }

    var undecided: [UInt64] = []
    let failed = [UInt64](unsafeUninitializedCapacity: words) { failedWords, initialized in
        undecided = [UInt64](unsafeUninitializedCapacity: words) { undecidedWords, initialized in
            failedWords.update(repeating: 0)
            undecidedWords.update(repeating: 0)
            // SAFETY: chunk i writes words [64 i, 64 i + 64) of each mask and nobody else does; both arrays outlive the
            // loop, which concurrentPerform does not leave before the last worker is done.
            nonisolated(unsafe) let failedBase = failedWords.baseAddress
            nonisolated(unsafe) let undecidedBase = undecidedWords.baseAddress
            let next = Atomic(0)

            @Sendable func drain() {
                guard let failedBase, let undecidedBase else { return }
                var worker = makeWorker()
                while true {
                    let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if chunk >= chunks || meter?.isCancelled == true { return }
                    let rows = chunk * bulkChunk..<min(count, (chunk + 1) * bulkChunk)
                    let word = rows.lowerBound / 64
                    work(
                        &worker, rows, VerdictBits(failed: failedBase + word, undecided: undecidedBase + word))
                    meter?.add(rows.count)
                }
            }

            if threads == 1 {
                drain()
            } else {
                DispatchQueue.concurrentPerform(iterations: threads) { _ in drain() }
            }
            initialized = words
        }
        initialized = words
    }
    if meter?.isCancelled == true { throw .cancelled }
    return VerdictMask(count: count, failed: failed, undecided: undecided)
}

/// Adds up what the workers have done and passes it on, one call at a time.
private final class Meter: Sendable {
    private let total: Int
    private let completed = Lock(0)
    private let cancelled = Atomic(false)
    private let report: @Sendable (BulkProgress) -> BulkControl

    init(total: Int, report: @escaping @Sendable (BulkProgress) -> BulkControl) {
        self.total = total
        self.report = report
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func add(_ count: Int) {
        completed.withLock { completed in
            completed += count
            guard !isCancelled else { return }
            if report(BulkProgress(completed: completed, total: total)) == .cancel {
                cancelled.store(true, ordering: .relaxed)
            }
        }
    }
}

/// The processors that this process may run on.
package let processorCount = assay_cpu_count()
