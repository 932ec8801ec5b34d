internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import CAssay

/// Checks the records of a chunk for one worker: determines the rejected records and the findings.
///
/// It has more than twelve properties, because it is the only value with the verdicts on a chunk, which all later steps
/// read.
///
/// An evaluator shares no mutable state with other workers. `evaluate` overwrites the results of the previous chunk.
struct ChunkEvaluator: ~Copyable {
    private let dialect: assay_dialect
    private let width: RecordWidth
    private var schema: SchemaEvaluator
    /// The values of JSON Lines. `nil` if the records are CSV.
    private let json: JSONReader?
    private var lists: ListEvaluators
    /// The keys of the records. `nil` if the table has no keys.
    let keys: ChunkKeys?
    /// The repaired cells of the records. `nil` if no column has repairs.
    let repairs: ChunkRepairs?
    /// The values of the aggregated columns. `nil` if there are no rules on the table.
    let aggregates: AggregateRows?
    private let keyTemplates: [KeyTemplates]
    /// The account of the run. `nil` without a budget.
    private let account: BudgetAccount?

    /// The rejected entries of the chunk, one bit per entry.
    private(set) var rejects: [UInt64] = []
    private(set) var rejectedRecords = 0
    /// The cells of the chunk that contain line breaks.
    private(set) var lineBreaks = LineBreaks()
    /// Blank lines that are not written, one bit per entry; empty if all lines are written.
    private(set) var drops: [UInt64] = []
    private(set) var droppedLines = 0
    private(set) var droppedBytes = 0
    /// Whether blank lines that are not records are dropped.
    private let dropsBlankLines: Bool
    private let sample: RecordSample?
    /// Records of the chunk that are not in the sample.
    private(set) var leftOut = 0
    private(set) var findings: FindingWriter
    /// The counts of the chunk.
    var tally: RuleTally { schema.tally }
    /// The tallies of the list columns.
    var listTallies: [RuleTally] { lists.tallies }

    init(
        schema: BoundSchema, limits: MatchLimits, dialect: assay_dialect, width: RecordWidth, plan: FindingPlan,
        templates: [FindingTemplates], json: JSONTable? = nil, keys: TableKeys? = nil,
        repairs: RepairPlan? = nil, tableRules: BoundTableRules? = nil, sample: RecordSample? = nil,
        account: BudgetAccount? = nil, now: Timestamp? = nil, dropsBlankLines: Bool = false
    ) throws(NoMemoryError) {
        var evaluator = try SchemaEvaluator(schema, limits: limits)
        if let repairs, !repairs.isJSON {
            evaluator.repairer?.leaveWhatCannotBeWritten(as: dialect, longest: repairs.fieldBytes)
        }
        evaluator.setNow(now)
        let findings = try FindingWriter(plan, templates, dialect: dialect)
        var lists = try ListEvaluators(json, limits: limits)
        if let account {
            evaluator.charge(to: account)
            lists.charge(to: account)
        }
        let reader: JSONReader?
        if let json { reader = try JSONReader(json.paths) } else { reader = nil }
        let chunkKeys: ChunkKeys?
        if let keys {
            chunkKeys = try ChunkKeys(
                keys.columns, preference: keys.preference, limits: limits, dialect: dialect,
                keepsValues: plan.showValues)
        } else {
            chunkKeys = nil
        }
        let chunkRepairs: ChunkRepairs?
        if let repairs { chunkRepairs = try ChunkRepairs(repairs) } else { chunkRepairs = nil }
        let aggregates: AggregateRows?
        if let tableRules { aggregates = try AggregateRows(tableRules, limits: limits) } else { aggregates = nil }
        self.aggregates = aggregates
        self.keys = chunkKeys
        self.repairs = chunkRepairs
        keyTemplates = keys?.templates ?? []
        self.account = account
        self.json = reader
        self.sample = sample
        self.dropsBlankLines = dropsBlankLines
        self.lists = lists
        self.schema = evaluator
        self.findings = findings
        self.dialect = dialect
        self.width = width
    }

    /// For each path of JSON Lines: whether one of the records that this evaluator has checked has the member. Empty
    /// for CSV.
    private(set) var present: [Bool] = []

    /// Checks a chunk.
    ///
    /// - Parameter room: The number of findings that are still wanted.
    /// - Throws: ``NoMemoryError``. The results for the chunk are then incomplete.
    mutating func evaluate(_ chunk: Chunk, room: FindingRoom) throws(NoMemoryError) {
        let entries = chunk.entries
        rejects.removeAll(keepingCapacity: true)
        rejects.append(contentsOf: repeatElement(0, count: maskWords(entries)))
        (rejectedRecords, leftOut) = (0, 0)
        lineBreaks = LineBreaks()
        findDroppedLines(chunk)
        schema.resetTally()
        lists.resetTallies()
        findings.begin(chunk, room: room)
        keys?.begin(entries: entries)
        repairs?.begin()
        aggregates?.begin(entries: entries)
        // Keys and line breaks each request lines in ascending order.
        var lines = chunk.lines(endsAtCR: dialect.cr_ends)
        var breakLines = lines
        var used = chunk.freeStart

        let limit = Slice.rowsEach(of: entries)
        for first in stride(from: 0, to: entries, by: limit) {
            let rows = min(limit, entries - first)
            let slice = Slice(
                chunk, first: first, rows: rows, width: width, json: json, repairer: schema.repairer, sample: sample)
            try evaluateSlice(slice, used: &used, lines: &lines, breakLines: &breakLines)
        }
        if chunk.startsWithContinuation {
            // The rest of an overlong record is an entry, but not a record.
            if rejects[0] & 1 != 0 { rejectedRecords -= 1 } else { leftOut -= 1 }
        }
        if let failure = findings.failure ?? lists.failure { throw failure }
    }

    private mutating func findDroppedLines(_ chunk: Chunk) {
        drops.removeAll(keepingCapacity: true)
        (droppedLines, droppedBytes) = (0, 0)
        guard dropsBlankLines, chunk.batch.pointee.comment_count > 0 else { return }
        drops.append(contentsOf: repeatElement(0, count: maskWords(chunk.entries)))
        droppedLines = assay_batch_mask_blank_lines(chunk.batch, chunk.bytes, &drops)
        if droppedLines == 0 { return drops.removeAll(keepingCapacity: true) }
        for (word, lines) in drops.enumerated() {
            forEachBit(in: lines) { bit in
                let line = chunk.record(64 * word + bit)
                droppedBytes += Int(line.end - line.start)
            }
        }
    }

    /// Returns the number of rejected records.
    ///
    /// - Parameter withKeys: Whether to include records that are rejected by their keys, which must be decided.
    func rejectedRecords(withKeys: Bool) -> Int { rejectedRecords + (withKeys ? keys?.rows.refusedRows ?? 0 : 0) }

    /// Returns the entry of the nth rejected record.
    ///
    /// - Precondition: At least `nth` records are rejected.
    func entry(ofReject nth: Int, withKeys: Bool, in chunk: Chunk) -> Int {
        var rejects = rejects
        if withKeys { keys?.rows.addRefused(to: &rejects) }
        // The rest of an overlong record is an entry, but not a record.
        var left = nth + (chunk.startsWithContinuation && rejects[0] & 1 != 0 ? 1 : 0)
        for (word, rows) in rejects.enumerated() {
            if rows.nonzeroBitCount < left {
                left -= rows.nonzeroBitCount
                continue
            }
            var rows = rows
            while left > 1 {
                rows &= rows - 1
                left -= 1
            }
            return word * 64 + rows.trailingZeroBitCount
        }
        preconditionFailure("a chunk has no rejected record number \(nth)")
    }

    /// Rejects the records with refused keys, after the keys are decided.
    mutating func refuse(_ chunk: Chunk) throws(NoMemoryError) {
        guard let keys else { return }
        let templates = keyTemplates[chunk.input]
        let found = keys.findings(of: templates, in: chunk, endsAtCR: dialect.cr_ends)
        if found.isEmpty { return }
        findings.insert(found, templates, into: chunk, rejects: rejects)
        if let failure = findings.failure { throw failure }
        for finding in found {
            let (word, bit) = (finding.entry / 64, UInt64(1) << UInt64(finding.entry % 64))
            if rejects[word] & bit == 0 { rejectedRecords += 1 }
            rejects[word] |= bit
        }
    }

    private var plan: FindingPlan { findings.plan }

    /// Appends the results of a checked chunk to `bytes`.
    func park(in bytes: inout PlainBytes) {
        bytes.put(all: rejects)
        bytes.put(rejectedRecords)
        bytes.put(leftOut)
        findings.park(in: &bytes)
        keys?.park(in: &bytes)
        aggregates?.park(in: &bytes)
        repairs?.park(in: &bytes)
    }

    /// Restores the results of a chunk from `bytes`.
    ///
    /// - Parameter kept: The first findings of the chunk.
    mutating func restore(
        _ chunk: Chunk, from bytes: inout PlainBytes, kept: [Finding], room: FindingRoom
    ) throws(NoMemoryError) {
        rejects = bytes.takeAll()
        rejectedRecords = bytes.take()
        leftOut = bytes.take()
        findDroppedLines(chunk)
        findings.restore(chunk, from: &bytes, kept: kept, room: room)
        keys?.restore(from: &bytes)
        aggregates?.restore(from: &bytes)
        try repairs?.restore(from: &bytes)
        if let failure = findings.failure { throw failure }
    }

    private mutating func evaluateSlice(
        _ slice: Slice, used: inout UInt32, lines: inout assay_lines, breakLines: inout assay_lines
    ) throws(NoMemoryError) {
        var failure: NoMemoryError?
        try slice.withBroken(used: &used) { broken, misencoded, used in
            slice.evaluate(&schema, broken: broken, dialect: dialect, used: &used)
            do throws(NoMemoryError) {
                try takeRepairs(slice)
                try lists.evaluate(slice, repairs)
            } catch {
                failure = error
                return
            }
            if account != nil { chargeRest(of: slice, broken: broken) }
            for word in 0..<maskWords(slice.rows) {
                // Comments and records outside the sample have the broken mark, because their cells are not checked,
                // but they are not broken.
                let skipped = slice.leftOut(word)
                leftOut += skipped.nonzeroBitCount
                let rejected =
                    broken[word] & ~slice.comments(word) & ~skipped | schema.rejects[word] | lists.rejects(word)
                rejects[slice.first / 64 + word] = rejected
                rejectedRecords += rejected.nonzeroBitCount
            }
            findings.add(slice, schema, &lists, broken: broken, misencoded: misencoded)
            lineBreaks.add(slice, broken: broken, lines: &breakLines)
            slice.json?.notePresent(in: &present, rows: slice.rows)
            keys?.add(
                slice, closed: { broken[$0] | schema.rejects[$0] | lists.rejects($0) }, dialect: dialect, lines: &lines)
            aggregates?.add(
                rows: slice.rows, first: slice.first,
                in: .cells { [dialect] in slice.gather($0, only: $1, dialect: dialect, into: $2, nullTexts: $3) },
                closed: { broken[$0] | schema.rejects[$0] | lists.rejects($0) })
        }
        if let failure { throw failure }
    }

    /// Charges the keys and aggregates, and leaves records undecided if these or their lists exceed the budget.
    private mutating func chargeRest(of slice: Slice, broken: UnsafePointer<UInt64>) {
        if lists.findings.hasOver {
            lists.findings.over.withUnsafeBufferPointer { schema.addOver($0.baseAddress!) }
        }
        guard let account, keys != nil || aggregates != nil else { return }
        let values = (keys?.rows.each ?? 0) + (aggregates?.columnCount ?? 0)
        if !account.spend(BudgetAccount.ticksPerKey * slice.rows * values) {
            schema.leaveAllOver(rows: slice.rows, broken: broken)
        }
    }

    private func takeRepairs(_ slice: Slice) throws(NoMemoryError) {
        guard let repairs, let repairer = schema.repairer else { return }
        if let failure = repairer.failure { throw failure }
        try repairs.add(slice, repairer)
    }
}
