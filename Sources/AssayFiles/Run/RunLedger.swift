internal import Assay

/// The counts of a run so far.
///
///     counts     of the written chunks     changed by the worker that has the turn (``OrderedCommit``)
///     workers    of the ended workers      changed by each worker when it ends
final class RunLedger: Sendable {
    let counts: Lock<RunCounts>
    let workers: Lock<EndedWorkers>

    init(_ plan: RunPlan) {
        counts = Lock(RunCounts(inputs: plan.parts.count))
        workers = Lock(EndedWorkers(verdicts: VerdictCounts(plan)))
    }
}

/// The workers that have ended.
struct EndedWorkers {
    var verdicts: VerdictCounts
    /// The number of workers that ended without an error in this pass.
    var count = 0
    /// The number of workers that read the table.
    var threads = 1
    /// The first error of a worker.
    var failure: (any Error)?
    /// The reason that fewer workers run than were requested.
    var shortage: (any Error)?
}

/// The counts of the chunks that are written, in the order of the table.
struct RunCounts {
    /// The counts of one file, or of all files.
    struct Input {
        var bytes = 0
        var records = 0
        var rejected = 0
        var undecided = 0
        /// Records that are not in the sample.
        var leftOut = 0
        /// Blank lines that were not written.
        var skippedLines = 0

        mutating func add(_ other: Input) {
            bytes += other.bytes
            records += other.records
            rejected += other.rejected
            undecided += other.undecided
            leftOut += other.leftOut
            skippedLines += other.skippedLines
        }
    }

    var total = Input()
    /// The counts of each file.
    var inputs: [Input]
    /// The bytes of these records, as they were in the input, that went to the outputs.
    var outputBytes = 0
    /// All findings, written or not.
    var findings = 0
    var firstFindings: [Finding] = []
    /// Some of the records that are not UTF-8.
    var misencodedSample: [UInt8] = []

    init(inputs count: Int) { inputs = Array(repeating: Input(), count: count) }

    /// Adds a chunk.
    ///
    /// - Parameters:
    ///   - outputBytes: The number of its bytes that go to the outputs.
    ///   - plan: The number of findings to keep, and the encoding of its file.
    mutating func add(_ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator, outputBytes: Int, _ plan: RunPlan) {
        let added = Input(
            bytes: chunk.entryBytes.count, records: chunk.recordCount, rejected: evaluator.rejectedRecords,
            undecided: evaluator.findings.undecidedRecords, leftOut: evaluator.leftOut,
            skippedLines: evaluator.droppedLines)
        total.add(added)
        inputs[chunk.input].add(added)
        self.outputBytes += outputBytes
        findings += evaluator.findings.count
        if misencodedSample.count < FindingWriter.misencodedBytes && plan.parts[chunk.input].encoding.isUTF8 {
            misencodedSample += evaluator.findings.misencodedSample
        }
        let room = plan.findings.kept - firstFindings.count
        if room > 0 { firstFindings += evaluator.findings.kept.prefix(room) }
    }
}
