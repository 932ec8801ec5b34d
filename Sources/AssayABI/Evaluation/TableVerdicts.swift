internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import CAssay
internal import CAssayABI
internal import Synchronization

/// The verdicts on a table: one mask of rows per kind of verdict, and the findings of each slice.
final class TableVerdicts: Sendable {
    /// The maximum number of rows in a batch, because an array without values (of nulls, or a struct without columns)
    /// can have any length and the verdicts need memory for each row.
    static let maxRows = 1 << 32

    let rows: Int
    /// The rules in reported order: those of the first column, then those of the next.
    let rules: [RuleTexts]
    /// One bit per row.
    let rejected: Block
    let undecided: Block
    let missing: Block
    /// The rows over the budget; `nil` without a budget.
    let over: Block?
    /// By slice.
    private let slices: [[SliceVerdicts.Found]]
    /// By rule, in reported order.
    let counts: [RuleCount]
    /// The keys of the rows, if another program compares them.
    let keyHashes: KeyHashes?

    /// Checks all rows of some columns.
    ///
    /// - Parameter rowWork: the checks of whole rows, which follow those of the columns.
    /// - Throws: a fault for too many rows, for a column with an invalid layout, if memory runs out, or if the progress
    ///   callback ends the check.
    init(
        rows: Int, tasks: [ColumnTask], rowWork: RowTask? = nil, rules: [RuleTexts], options: CheckOptions
    ) throws {
        try Self.expectFew(rows)
        self.rows = rows
        self.rules = rules
        keyHashes = rowWork?.keys?.hashes
        let bytes = 8 * maskWords(rows)
        rejected = try Block(bytes, options.allocator)
        undecided = try Block(bytes, options.allocator)
        missing = try Block(bytes, options.allocator)
        over = options.account == nil ? nil : try Block(bytes, options.allocator)
        (slices, counts) = try evaluate(
            rows: rows, tasks: tasks, rowWork: rowWork, rules: rules, options: options,
            masks: Masks(
                rejected: rejected.words(), undecided: undecided.words(), missing: missing.words(),
                over: over?.words()))
    }

    /// The number of rows that the budget of the call left undecided.
    var overCount: Int { over.map { assay_mask_count($0.words(), maskWords(rows)) } ?? 0 }

    /// - Throws: a fault for too many rows.
    static func expectFew(_ rows: Int) throws(Fault) {
        guard rows <= maxRows else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "\(rows) rows are more than the \(maxRows) that one batch may have",
                hint: "check the table in parts")
        }
    }

    /// Adds key conflicts to the verdicts. This must happen before the verdicts are read.
    ///
    /// - Parameters:
    ///   - events: the conflicts of these rows, in their order.
    ///   - firstRecord: the number of records before these rows.
    ///   - firstRule: the index of the first key in the rules. Keys are last.
    init(_ other: TableVerdicts, adding events: ArraySlice<KeyEvent>, firstRecord: Int, firstRule: Int) {
        (rows, rules, undecided, missing) = (other.rows, other.rules, other.undecided, other.missing)
        (rejected, keyHashes, over) = (other.rejected, other.keyHashes, other.over)
        var (slices, counts) = (other.slices, other.counts)
        var places: [Int: Int] = [:]
        var current = -1
        for event in events {
            let row = Int(event.record) - 1 - firstRecord
            let (slice, inSlice) = (row / SchemaEvaluator.sliceRows, row % SchemaEvaluator.sliceRows)
            if slice != current { places.removeAll() }
            current = slice
            let rule = firstRule + event.key
            if places[rule] == nil {
                let none = [UInt64](
                    repeating: 0,
                    count: maskWords(min(rows - slice * SchemaEvaluator.sliceRows, SchemaEvaluator.sliceRows)))
                let place = slices[slice].firstIndex { $0.rule > rule } ?? slices[slice].count
                slices[slice].insert(
                    SliceVerdicts.Found(rule: rule, failureReason: nil, failed: none, undecided: none), at: place)
                for (index, found) in slices[slice].enumerated() { places[found.rule] = index }
            }
            slices[slice][places[rule]!].failed[inSlice / 64] |= 1 << UInt64(inSlice % 64)
            slices[slice][places[rule]!].holders.append(event.holder)
            rejected.words()[row / 64] |= 1 << UInt64(row % 64)
            counts[rule].failed += 1
        }
        (self.slices, self.counts) = (slices, counts)
    }

    /// The number of findings in all slices.
    var findingCount: Int { counts.reduce(0) { $0 + Int($1.failed + $1.undecided) } }

    /// The findings of a slice, in reported order.
    func found(inSlice slice: Int) -> [SliceVerdicts.Found] { slices[slice] }

    /// The number of rows that the rules of a column reject, each counted once.
    ///
    /// Findings about encoding and length are excluded, because they are not rules of the column. Keys of this column
    /// alone are included.
    func rejected(by column: String) -> UInt64 {
        let own = Set(
            rules.indices.filter { rule in
                rules[rule].rule.isOfField && rules[rule].isReject
                    && rules[rule].rule.column.map(ByteEqualString.init) == ByteEqualString(column)
            })
        var count = 0
        for found in slices {
            let found = found.filter { own.contains($0.rule) }
            for word in 0..<(found.first?.failed.count ?? 0) {
                count += found.reduce(0) { $0 | $1.failed[word] | $1.undecided[word] }.nonzeroBitCount
            }
        }
        return UInt64(count)
    }

    /// Calls `body` for every finding, ordered by row and then by rule.
    func forEachFinding(_ body: (_ row: Int, _ rule: Int, _ isUndecided: Bool) -> Void) {
        for (slice, found) in slices.enumerated() where !found.isEmpty {
            for word in 0..<found[0].failed.count {
                let marked = found.reduce(0) { $0 | $1.failed[word] | $1.undecided[word] }
                forEachBit(in: marked) { bit in
                    let row = SchemaEvaluator.sliceRows * slice + 64 * word + bit
                    for item in found {
                        if item.failed[word] >> UInt64(bit) & 1 != 0 { body(row, item.rule, false) }
                        if item.undecided[word] >> UInt64(bit) & 1 != 0 { body(row, item.rule, true) }
                    }
                }
            }
        }
    }
}

/// The memory that workers write to, each to the words of its slice.
private struct Masks: @unchecked Sendable {
    // SAFETY: a slice is a multiple of 64 rows and belongs to one worker; the blocks outlive the workers.
    let rejected: UnsafeMutablePointer<UInt64>
    let undecided: UnsafeMutablePointer<UInt64>
    let missing: UnsafeMutablePointer<UInt64>
    let over: UnsafeMutablePointer<UInt64>?
}

/// Checks all slices on several threads. Each thread takes the next slice from a ``ChunkQueue``.
private func evaluate(
    rows: Int, tasks: [ColumnTask], rowWork: RowTask?, rules: [RuleTexts], options: CheckOptions, masks: Masks
) throws -> (found: [[SliceVerdicts.Found]], counts: [RuleCount]) {
    let slices = (rows + SchemaEvaluator.sliceRows - 1) / SchemaEvaluator.sliceRows
    let queue = ChunkQueue(count: rows, chunkRows: SchemaEvaluator.sliceRows, progress: options.control)
    let threads = queue.threads(atMost: options.threads)
    let isUnsound = Atomic(false)
    let shortage = Lock<NoMemoryError?>(nil)
    let noCounts = rules.map { RuleCount(rule: $0) }
    let results = Lock((found: [[SliceVerdicts.Found]](repeating: [], count: slices), counts: noCounts, done: 0))

    @Sendable func drain() {
        var cells = SliceCells()
        let workers: ColumnWorkers
        do throws(NoMemoryError) {
            workers = try ColumnWorkers(tasks, rowWork, options)
        } catch {
            // Other threads, if there are any, do the work of this one.
            return shortage.withLock { $0 = error }
        }
        var counts = noCounts
        while let range = queue.take() {
            let word = range.lowerBound / 64
            var verdicts = SliceVerdicts(
                rows: range.count, rejected: masks.rejected + word, undecided: masks.undecided + word,
                missing: masks.missing + word, over: masks.over.map { $0 + word })
            guard workers.evaluate(range, cells: &cells, into: &verdicts) else {
                isUnsound.store(true, ordering: .relaxed)
                return queue.stop()
            }
            if options.account != nil { verdicts.reportOver(rules.count - 1) }
            let found = verdicts.found
            for item in found { counts[item.rule].add(item) }
            results.withLock { results in
                results.found[range.lowerBound / SchemaEvaluator.sliceRows] = found
                results.done += range.count
            }
            queue.finish(range)
        }
        results.withLock { results in
            for (rule, count) in counts.enumerated() { results.counts[rule].add(count) }
        }
    }

    if slices > 0 { if threads == 1 { drain() } else { onThreads(threads) { drain() } } }
    if isUnsound.load(ordering: .relaxed), let fault = tasks.lazy.compactMap(\.column.fault).first { throw fault }
    if queue.isStopped { throw Fault.cancelled }
    if let error = shortage.withLock({ $0 }), results.withLock({ $0.done }) < rows { throw error }
    return results.withLock { ($0.found, $0.counts) }
}

/// The workers for all columns of a table on one thread.
private struct ColumnWorkers: ~Copyable {
    private let workers: UnsafeMutableBufferPointer<ColumnWorker>
    private let rowWork: RowWorker?
    /// The columns that row rules and keys read.
    private let kept: [(field: Int, values: KeptValues)]

    init(_ tasks: [ColumnTask], _ task: RowTask?, _ options: CheckOptions) throws(NoMemoryError) {
        var rowWork: RowWorker?
        if let task { rowWork = try RowWorker(task, options.account, at: options.now) }
        let workers = UnsafeMutableBufferPointer<ColumnWorker>.allocate(capacity: tasks.count)
        var made = 0
        do throws(NoMemoryError) {
            for task in tasks {
                workers.initializeElement(at: made, to: try ColumnWorker(task, options.account))
                made += 1
            }
        } catch {
            workers.extracting(..<made).deinitialize()
            workers.deallocate()
            throw error
        }
        self.workers = workers
        self.rowWork = rowWork
        var kept: [(Int, KeptValues)] = []
        for index in workers.indices {
            if let values = workers[index].kept { kept.append((workers[index].field, values)) }
        }
        self.kept = kept
    }

    deinit {
        workers.deinitialize()
        workers.deallocate()
    }

    /// Checks some rows of all columns. Returns `false` if a layout is invalid.
    func evaluate(_ rows: Range<Int>, cells: inout SliceCells, into verdicts: inout SliceVerdicts) -> Bool {
        for index in workers.indices {
            if !workers[index].evaluate(rows, cells: &cells, into: &verdicts) { return false }
        }
        rowWork?.evaluate(rows, kept, into: &verdicts)
        return true
    }
}
