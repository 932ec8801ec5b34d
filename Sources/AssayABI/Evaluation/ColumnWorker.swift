internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The state of a worker that checks slices of one column.
struct ColumnWorker: ~Copyable {
    private let task: ColumnTask
    private let pooled: EvaluatorPool.PooledEvaluator
    /// The values of the last checked slice; `nil` if row rules and keys do not need them.
    let kept: KeptValues?
    var field: Int { task.plan.field }

    private let account: BudgetAccount?
    /// Whether the cells of the slice have been loaded.
    private var hasCells = false
    /// The masks of a check of numbers.
    private let numberMasks: NumberMasks?
    /// The numbers for row rules, if they need no texts.
    private let sliceNumbers: SliceNumbers?

    init(_ task: ColumnTask, _ account: BudgetAccount?) throws(NoMemoryError) {
        pooled = try task.plan.evaluators.take(chargedTo: account)
        self.account = account
        kept = task.isKept ? KeptValues() : nil
        numberMasks = task.numbers == nil ? nil : NumberMasks()
        sliceNumbers = task.sliceNumbers()
        self.task = task
    }

    deinit { task.plan.evaluators.giveBack(pooled) }

    /// Checks some rows and adds the findings to the verdicts of their slice.
    ///
    /// - Returns: whether the layout of the rows is valid. If it is not, their values have not been read.
    mutating func evaluate(_ rows: Range<Int>, cells: inout SliceCells, into verdicts: inout SliceVerdicts) -> Bool {
        // The verdicts on the values of a dictionary are already known.
        if let account, account.isSpent, task.dictionary == nil {
            verdicts.addAllOver()
            return true
        }
        guard let kept else { return evaluateColumn(rows, cells: &cells, into: &verdicts) }
        kept.begin(rows: rows.count)
        guard evaluateColumn(rows, cells: &kept.slice, into: &verdicts) else { return false }
        if !hasCells { return true }
        if let sliceNumbers {
            sliceNumbers.move(to: rows)
            kept.lend(sliceNumbers)
        } else if task.numbers != nil, case .written(let writer) = task.column.values {
            kept.write(writer, rows)
        } else if case .dictionary(let indices, let values) = task.column.values {
            kept.load(indices, of: values, rows)
        } else {
            kept.settle()
        }
        return true
    }

    private mutating func evaluateColumn(
        _ rows: Range<Int>, cells: inout SliceCells, into verdicts: inout SliceVerdicts
    ) -> Bool {
        hasCells = true
        if let dictionary = task.dictionary {
            return lookUp(rows, in: dictionary, cells: &cells, into: &verdicts)
        }
        if let (numbers, plan) = task.numbers, let masks = numberMasks {
            let unknown = evaluate(numbers, by: plan, rows, masks: masks, nulls: cells.nulls, into: &verdicts)
            return unknown ? evaluateTexts(rows, only: masks.unknown, cells: &cells, into: &verdicts) : true
        }
        return evaluateTexts(rows, only: nil, cells: &cells, into: &verdicts)
    }

    /// Checks numbers without their texts, and marks the rows without a known verdict, whose texts must be checked.
    ///
    /// - Returns: whether there are such rows.
    private func evaluate(
        _ numbers: NumberColumn, by plan: NumberPlan, _ rows: Range<Int>, masks: NumberMasks,
        nulls: UnsafeMutablePointer<UInt64>, into verdicts: inout SliceVerdicts
    ) -> Bool {
        let words = maskWords(rows.count)
        task.column.nullRows(rows, into: nulls)
        if (0..<words).contains(where: { nulls[$0] != 0 }) {
            if let required = task.plan.required {
                verdicts.add(
                    task.firstRule + ValueRule.count + required, failed: nulls, undecided: nil, isReject: true)
            }
            verdicts.addMissing(nulls)
            kept?.addMissing(nulls)
        }
        let (form, values) = (numbers.domain.form, numbers.values(from: rows.lowerBound))
        var anyUnknown = false
        masks.unknown.update(repeating: 0, count: words)
        if !plan.knowsAll {
            _ = assay_numbers_outside(form, values, rows.count, plan.known, plan.known.count, masks.unknown)
        }
        if plan.mustBeWhole && assay_numbers_fractional(form, values, rows.count, masks.failed) {
            assay_mask_merge(masks.unknown, masks.failed, words)
        }
        for word in 0..<words {
            masks.unknown[word] &= ~nulls[word]
            anyUnknown = anyUnknown || masks.unknown[word] != 0
        }
        for test in plan.tests
        where assay_numbers_outside(form, values, rows.count, test.ranges, test.ranges.count, masks.failed) {
            var any: UInt64 = 0
            for word in 0..<words {
                masks.failed[word] &= ~(nulls[word] | masks.unknown[word])
                any |= masks.failed[word]
            }
            if any == 0 { continue }
            let isReject = task.plan.schema.rules[test.rule].severity == .reject
            verdicts.add(
                task.firstRule + ValueRule.count + test.rule, failed: masks.failed, undecided: nil, isReject: isReject)
            if isReject { kept?.addFailed(masks.failed) }
        }
        return anyUnknown
    }

    /// - Parameter only: the rows to check; `nil` means all rows.
    private mutating func evaluateTexts(
        _ rows: Range<Int>, only: UnsafePointer<UInt64>?, cells: inout SliceCells,
        into verdicts: inout SliceVerdicts
    ) -> Bool {
        cells.only = only
        var group = 0
        var isLoaded = false
        repeat {
            let base = group == 0 ? nil : cells.open(group)
            let (column, longest) = (task.column, task.plan.longest)
            // The evaluator reads `closed` and `nulls` only after `gather`, which fills them.
            let (closed, nulls) = (cells.closed, cells.nulls)
            func gather(_ position: Int, _ target: UnsafeMutablePointer<assay_cell>) -> GatheredCells {
                if let base { return GatheredCells(bytes: base) }
                cells.load(column, rows: rows, longest: longest, into: target)
                isLoaded = true
                kept?.take(target)
                return GatheredCells(bytes: cells.open(0), mayHaveEmpty: cells.mayHaveEmpty)
            }
            pooled.evaluator.evaluate(rows: rows.count, broken: closed, nulls: nulls, gather: gather)
            if !isLoaded {
                // The budget was exhausted before the evaluator gathered cells.
                hasCells = false
                verdicts.addAllOver()
                return true
            }
            if !cells.hasValidLayout { return false }
            for rule in pooled.evaluator.rulesWithFindings { add(rule, rows: rows.count, into: &verdicts) }
            verdicts.addMissing(pooled.evaluator.missingRows)
            kept?.addMissing(pooled.evaluator.missingRows)
            if pooled.evaluator.hasOver {
                verdicts.addOver(pooled.evaluator.over)
                kept?.addFailed(pooled.evaluator.over)
            }
            group += 1
        } while group < cells.groups.count
        if cells.hasMisencoded {
            verdicts.add(
                task.firstRule + ValueRule.misencoded, failed: cells.misencoded, undecided: nil, isReject: true)
            kept?.addFailed(cells.misencoded)
        }
        if cells.hasTooLong {
            let number = task.firstRule + ValueRule.tooLong
            kept?.addFailed(cells.tooLong)
            if task.plan.leavesLongUndecided {
                for word in 0..<maskWords(rows.count) {
                    forEachBit(in: cells.tooLong[word]) { bit in
                        verdicts.add(
                            FindingKind(rule: number, isUndecided: true), row: 64 * word + bit, isReject: true)
                    }
                }
            } else {
                verdicts.add(number, failed: cells.tooLong, undecided: nil, isReject: true)
            }
        }
        return true
    }

    /// Adds the findings of a rule. Failure reasons are determined here, because the values are not available after the
    /// call.
    private func add(_ rule: Int, rows: Int, into verdicts: inout SliceVerdicts) {
        let requested = task.plan.schema.rules[rule]
        let (failed, undecided) = (pooled.evaluator.failed(byRule: rule), pooled.evaluator.undecided(byRule: rule))
        let (number, isReject) = (task.firstRule + ValueRule.count + rule, requested.severity == .reject)
        if isReject && rule != task.plan.required {
            kept?.addFailed(failed)
            kept?.addFailed(undecided)
        }
        guard requested.hasFailureReasons else {
            return verdicts.add(number, failed: failed, undecided: undecided, isReject: isReject)
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows) { failureReasons in
            pooled.evaluator.findFailureReasons(rows: rows, rule: rule, into: failureReasons.baseAddress!)
            for word in 0..<maskWords(rows) {
                forEachBit(in: failed[word]) { bit in
                    let row = 64 * word + bit
                    let failureReason = failureReasons[row] == 0 ? nil : Int(failureReasons[row]) - 1
                    verdicts.add(FindingKind(rule: number, failureReason: failureReason), row: row, isReject: isReject)
                }
                forEachBit(in: undecided[word]) { bit in
                    verdicts.add(FindingKind(rule: number, isUndecided: true), row: 64 * word + bit, isReject: isReject)
                }
            }
        }
    }

    /// Applies the verdicts of the dictionary's values to the rows that have them.
    private func lookUp(
        _ rows: Range<Int>, in dictionary: DictionaryVerdicts, cells: inout SliceCells,
        into verdicts: inout SliceVerdicts
    ) -> Bool {
        guard case .dictionary(let indices, _) = task.column.values, task.column.hasValidLayout(rows) else {
            return false
        }
        task.column.nullRows(rows, into: cells.nulls)
        let words = maskWords(rows.count)
        let isNull = cells.nulls
        if (0..<words).contains(where: { isNull[$0] != 0 }) {
            if let required = task.plan.required {
                verdicts.add(
                    task.firstRule + ValueRule.count + required, failed: isNull, undecided: nil, isReject: true)
            }
            verdicts.addMissing(isNull)
            kept?.addMissing(isNull)
        }
        if dictionary.isClean { return true }
        let required = task.plan.required.map { task.firstRule + ValueRule.count + $0 }
        dictionary.forEachMark(of: indices, rows: rows, nulls: isNull) { kind, isReject, row in
            if kind.rule == dictionary.budgetRule {
                verdicts.addOver(row: row)
                kept?.addFailed(row: row)
                return
            }
            verdicts.add(kind, row: row, isReject: isReject)
            if isReject && kind.rule != required { kept?.addFailed(row: row) }
        } missing: { row in
            verdicts.addMissing(row: row)
            kept?.addMissing(row: row)
        }
        return true
    }
}
