package import CAssay

/// Evaluates slices of a table, column by column, against a bound schema. Used by one worker.
///
///               rule 0   rule 1   rule 2 …
///     row 0       ·        ✗        ·          one mask of failed rows and one of undecided rows for each rule,
///     row 1       ·        ·        ·          for the same slice; `rejects` is the union for rules that reject,
///     row 2       ✗        ·        ?          and `marked` for all rules
///
/// It has more than twelve properties, because half of them are memory that is allocated once, for slices of up to
/// ``sliceRows`` rows.
package struct SchemaEvaluator: ~Copyable {
    /// The maximum number of rows of a slice. A multiple of 64, and so small that the cells and masks of a column
    /// remain in the processor's first caches.
    package static let sliceRows = 4096
    private static let sliceWords = sliceRows / 64

    package let schema: BoundSchema
    let scratch: Scratch
    /// The masks of the slice: the failed and the undecided rows of each rule, and seven other masks.
    private let masks: UnsafeMutablePointer<UInt64>
    private let cells: UnsafeMutablePointer<assay_cell>
    /// The cells of the latest column: `cells`, or those that are kept for the rules between columns.
    private var evaluatedCells: UnsafeMutablePointer<assay_cell>
    /// `nil` if there are no rules between columns.
    private let rowRuleEvaluator: RowRuleEvaluator?
    /// `nil` if no column has repairs. If its ``ColumnRepairer/failure`` is set, the verdicts of the slice are
    /// incomplete.
    package let repairer: ColumnRepairer?
    /// The rules that found anything in the slice, in reported order.
    private var findingRules: [Int] = []
    private var words = 0
    /// The bytes of the latest column. Cells are offsets into them.
    private var bytes: UnsafePointer<UInt8>?

    /// The account of the call; `nil`: no budget.
    private var account: BudgetAccount?
    /// Whether rows of the slice are over the budget.
    package private(set) var hasOver = false

    /// The counts of all slices so far. To evaluate a slice again, first restore the earlier counts.
    package var tally: RuleTally

    /// The time of each rule, by rule; empty unless the evaluator is `timed`.
    package private(set) var timings: [RuleTiming] = []
    /// The time of the repairs of each column; empty unless the evaluator is `timed`.
    package private(set) var repairTimings: [RuleTiming] = []

    package init(_ schema: BoundSchema, limits: MatchLimits, timed: Bool = false) throws(NoMemoryError) {
        let scratch = try Scratch(limits: limits)
        let rowRuleEvaluator = try RowRuleEvaluator.make(schema, limits: limits, scratch: scratch.handle)
        let repairer = try ColumnRepairer.make(schema, scratch: scratch.handle)
        let masks: UnsafeMutablePointer<UInt64> = try reserve(
            (2 * schema.rules.count + 7) * Self.sliceWords, for: "the verdicts of a thread")
        let cells: UnsafeMutablePointer<assay_cell>
        do throws(NoMemoryError) {
            cells = try reserve(Self.sliceRows, for: "the verdicts of a thread")
        } catch {
            release(masks)
            throw error
        }
        self.rowRuleEvaluator = rowRuleEvaluator
        self.repairer = repairer
        self.schema = schema.copied()
        (self.masks, self.cells, evaluatedCells) = (masks, cells, cells)
        (masks + (2 * schema.rules.count + 6) * Self.sliceWords).initialize(repeating: 0, count: Self.sliceWords)
        self.scratch = scratch
        tally = RuleTally(schema)
        if timed {
            timings = Array(repeating: RuleTiming(), count: schema.rules.count)
            repairTimings = Array(repeating: RuleTiming(), count: schema.columns.count)
        }
    }

    deinit {
        // The scratch refers to the account, which must exist until then.
        assay_scratch_set_budget(scratch.handle, nil)
        release(masks)
        release(cells)
    }

    /// Sets the account that later work is charged to; `nil`: no budget.
    package mutating func charge(to account: BudgetAccount?) {
        self.account = account
        assay_scratch_set_budget(scratch.handle, account?.handle)
        rowRuleEvaluator?.account = account
    }

    /// Sets the time of the run, which is the value of `now()` in row rules. `nil`: the clock is read when a rule needs
    /// it, and the value is kept until it is set again.
    package mutating func setNow(_ now: Timestamp?) { rowRuleEvaluator?.now = now }

    private func mask(_ index: Int) -> UnsafeMutablePointer<UInt64> { masks + index * Self.sliceWords }
    private func bits(ofRule rule: Int) -> VerdictBits {
        VerdictBits(failed: mask(2 * rule), undecided: mask(2 * rule + 1))
    }
    private var missing: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count) }
    private var unused: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 1) }
    private var closed: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 2) }

    /// The rows for which a rule of severity reject failed or is undecided. Valid until the next slice.
    package var rejects: UnsafePointer<UInt64> { UnsafePointer(rejectRows) }
    private var rejectRows: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 3) }
    /// The rows that rules skip which also run for null.
    private var closedToNull: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 5) }
    /// The rows that are undecided because the budget of the call was spent before all rules had run. Empty without a
    /// budget. Valid until the next slice.
    package var over: UnsafePointer<UInt64> { UnsafePointer(overRows) }
    private var overRows: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 6) }
    /// The rows with a finding, and the rows over the budget. Valid until the next slice.
    package var marked: UnsafePointer<UInt64> { UnsafePointer(markedRows) }
    private var markedRows: UnsafeMutablePointer<UInt64> { mask(2 * schema.rules.count + 4) }

    /// The rules that found anything in the slice, in reported order.
    package var rulesWithFindings: [Int] { findingRules }
    /// The rows of the slice for which a rule failed, and those for which it is undecided. Valid until the next slice.
    package func failed(byRule rule: Int) -> UnsafePointer<UInt64> { UnsafePointer(mask(2 * rule)) }
    package func undecided(byRule rule: Int) -> UnsafePointer<UInt64> { UnsafePointer(mask(2 * rule + 1)) }
    /// The undecided rows of a rule that a limit on row rules stopped, and the limit. Valid until the next slice.
    package func exhaustedRows(byRule rule: Int) -> [Int: CELResource] {
        rowRuleEvaluator?.exhaustedRows(ofRule: rule - schema.rowRuleRange.lowerBound) ?? [:]
    }
    /// The rows of the slice without a value in the latest column. Valid until the next slice.
    package var missingRows: UnsafePointer<UInt64> { UnsafePointer(missing) }

    /// Finds the failure reason of each row for which a rule failed, in the latest column: 1 + the index in
    /// ``FailureReason/all``, or 0 if the reason is not known. The bytes of the column must still exist.
    ///
    /// - Parameter rows: The number of rows of the slice.
    /// - Precondition: the rule has failure reasons (``CompiledRule/hasFailureReasons``).
    package func findFailureReasons(rows: Int, rule: Int, into failureReasons: UnsafeMutablePointer<UInt8>) {
        findFailureReasons(
            bytes: bytes, cells: UnsafeMutableBufferPointer(start: evaluatedCells, count: rows), rule: rule,
            into: failureReasons
        )
    }

    /// The same for cells that were gathered again. They must be the cells of the slice.
    package func findFailureReasons(
        bytes: UnsafePointer<UInt8>?, cells: UnsafeMutableBufferPointer<assay_cell>, rule: Int,
        into failureReasons: UnsafeMutablePointer<UInt8>
    ) {
        guard case .leaf(let leaf) = schema.rules[rule].node else {
            preconditionFailure("a rule with failure reasons is one type")
        }
        assay_check_failure_reasons(
            leaf.handle, scratch.handle, bytes, cells.baseAddress, cells.count, failed(byRule: rule), failureReasons)
        guard let repairs = schema.rules[rule].repairs else { return }
        let failed = failed(byRule: rule)
        for word in 0..<maskWords(cells.count) {
            forEachBit(in: failed[word]) { bit in
                let cell = cells[64 * word + bit]
                let value = UnsafeBufferPointer(start: bytes.map { $0 + Int(cell.start) }, count: Int(cell.length))
                if let reason = repairs.failureReason(of: value, scratch: scratch.handle) {
                    failureReasons[64 * word + bit] = UInt8(reason + 1)
                }
            }
        }
    }

    /// Returns the index in ``FailureReason/all`` of the reason why a rule failed a value, or `nil` if it is not known.
    package func failureReason(of value: UnsafeBufferPointer<UInt8>, rule: Int) -> Int? {
        schema.rules[rule].repairs?.failureReason(of: value, scratch: scratch.handle)
            ?? schema.rules[rule].node.failureReason(of: value, scratch: scratch.handle)
    }

    /// Evaluates a slice.
    ///
    /// - Parameters:
    ///   - broken: The rows that already have a finding and are skipped. Read after `gather` has returned.
    ///   - nulls: The rows without a value, regardless of their text; for a table of one column. Read after `gather`
    ///     has returned.
    ///   - gather: Writes the cells of the column at a position of the table, and returns their places.
    package mutating func evaluate(
        rows: Int, broken: UnsafePointer<UInt64>, nulls: UnsafePointer<UInt64>? = nil,
        gather: (_ position: Int, UnsafeMutablePointer<assay_cell>) -> GatheredCells
    ) {
        begin(rows: rows, broken: broken)
        for (index, column) in schema.columns.enumerated() {
            if account != nil && !assay_scratch_spend(scratch.handle, UInt64(Self.ticksPerRow * rows)) {
                leaveOver(rows: rows, broken: broken)
                missing.update(repeating: 0, count: words)
                break
            }
            let kept = rowRuleEvaluator?.keptCells(column.fieldIndex)
            let target = kept ?? cells
            var gathered = gather(column.position, target)
            if let repairer, account == nil || mayRepair(column, target, rows) {
                let start = repairTimings.isEmpty ? nil : ContinuousClock.now
                gathered = repairer.repair(gathered, column, index, target, rows, broken, nulls)
                if let start {
                    repairTimings[index].time += start.duration(to: .now)
                    repairTimings[index].values += rows - count(broken)
                }
            }
            (bytes, evaluatedCells) = (gathered.bytes, target)
            let view = ColumnView(
                bytes: gathered.bytes, cells: UnsafeBufferPointer(start: target, count: rows), kinds: gathered.kinds)
            evaluate(
                view, column: column, hasEmpty: gathered.mayHaveEmpty, broken: broken, nulls: gathered.nulls ?? nulls,
                wrong: gathered.wrongTypes, nullTexts: gathered.nullTexts, nullValues: gathered.nullValues)
            tally.missing[index] += count(missing)
            if let repairer { tally.unsettled[index] += repairer.unsettledCount }
            let first = findingRules.count
            for rule in column.rules { settle(rule) }
            tally.rejected[index] += rejectedRows(from: first)
            if kept != nil { keep(column, gathered.bytes) }
        }
        evaluateRows(Array(schema.rowRuleRange), rows: rows, broken: broken)
    }

    /// Evaluates rules between columns over a slice of columns that were evaluated separately.
    ///
    /// - Parameters:
    ///   - rules: The numbers of the rules among those between columns.
    ///   - columns: The columns by their fields. Other columns are empty.
    /// - Precondition: The bound schema has no columns.
    package mutating func evaluate(
        rules: [Int], rows: Int, columns: some Sequence<(field: Int, column: KeptColumn)>
    ) {
        let broken = closed
        broken.update(repeating: 0, count: maskWords(rows))
        begin(rows: rows, broken: broken)
        for column in columns { rowRuleEvaluator?.keep(column.field, column.column) }
        evaluateRows(rules.map { schema.rowRuleRange.lowerBound + $0 }, rows: rows, broken: broken)
    }

    /// Begins a slice without findings.
    private mutating func begin(rows: Int, broken: UnsafePointer<UInt64>) {
        precondition(rows <= Self.sliceRows, "a slice has at most \(Self.sliceRows) rows")
        words = maskWords(rows)
        findingRules.removeAll(keepingCapacity: true)
        rejectRows.update(repeating: 0, count: words)
        markedRows.update(repeating: 0, count: words)
        rowRuleEvaluator?.begin(rows: rows, broken: broken)
        repairer?.begin()
        if hasOver {
            overRows.update(repeating: 0, count: Self.sliceWords)
            hasOver = false
        }
    }

    // MARK: - Under a budget

    /// Ticks for each cell that is gathered.
    private static let ticksPerRow = 8

    /// Whether the budget has room for the repairs of a column.
    private func mayRepair(_ column: BoundSchema.Column, _ cells: UnsafeMutablePointer<assay_cell>, _ rows: Int) -> Bool
    {
        guard let repairs = column.field.repairs else { return true }
        var bytes = 0
        for row in 0..<rows { bytes += Int(cells[row].length) }
        let ticks = (bytes * BudgetAccount.ticksPerByte + rows) * repairs.description.count
        return assay_scratch_spend(scratch.handle, UInt64(ticks))
    }

    /// Leaves all rows of the slice undecided that are not broken, since the budget is spent.
    private mutating func leaveOver(rows: Int, broken: UnsafePointer<UInt64>) {
        for word in 0..<maskWords(rows) { overRows[word] |= lowBits(rows - word * 64) & ~broken[word] }
        hasOver = true
    }

    /// Leaves all rows undecided that are not broken and not rejected, after the evaluation of the slice.
    package mutating func leaveAllOver(rows: Int, broken: UnsafePointer<UInt64>) {
        closeOver(adding: -1)
        for word in 0..<words { overRows[word] |= lowBits(rows - word * 64) & ~broken[word] & ~rejects[word] }
        closeOver()
    }

    /// Leaves more rows undecided, after the evaluation of the slice.
    package mutating func addOver(_ rows: UnsafePointer<UInt64>) {
        closeOver(adding: -1)
        for word in 0..<words { overRows[word] |= rows[word] }
        closeOver()
    }

    /// Adds the rows that are undecided in a rule because of the budget to the rows over the budget.
    private mutating func takeOver(_ bits: VerdictBits) {
        let first = assay_scratch_take_first_over(scratch.handle)
        guard first >= 0 else { return }
        for word in first / 64..<max(first / 64, words) {
            let rows: UInt64 = word == first / 64 ? ~0 << UInt64(first % 64) : ~0
            move(bits.undecided[word] & rows, word, from: bits)
        }
    }

    private mutating func move(_ rows: UInt64, _ word: Int, from bits: VerdictBits) {
        if rows == 0 { return }
        bits.undecided[word] &= ~rows
        overRows[word] |= rows
        hasOver = true
    }

    /// Counts the rows that are over the budget. They are rejected, because a rule might reject them.
    private mutating func closeOver(adding sign: Int = 1) {
        hasOver = hasOver || sign > 0
        tally.overBudget += sign * count(over)
        for word in 0..<words {
            rejectRows[word] |= overRows[word]
            markedRows[word] |= overRows[word]
        }
    }

    /// Evaluates rules between columns, and ends the slice.
    private mutating func evaluateRows(_ rules: [Int], rows: Int, broken: UnsafePointer<UInt64>) {
        if let rowRuleEvaluator {
            let first = schema.rowRuleRange.lowerBound
            for rule in rules {
                if let account, account.isSpent {
                    leaveOver(rows: rows, broken: broken)
                    break
                }
                let start = timings.isEmpty ? nil : ContinuousClock.now
                rowRuleEvaluator.evaluate(rule - first, broken: broken, into: bits(ofRule: rule))
                if account != nil {
                    let bits = bits(ofRule: rule)
                    for word in 0..<words { move(rowRuleEvaluator.over[word], word, from: bits) }
                }
                if let start { count(rule, since: start, values: rows - count(broken)) }
                settle(rule)
            }
        }
        if account != nil {
            assay_scratch_end_lease(scratch.handle)
            if hasOver { closeOver() }
        }
    }

    /// Keeps an evaluated column for the rules between columns.
    private func keep(_ column: BoundSchema.Column, _ bytes: UnsafePointer<UInt8>) {
        unused.update(repeating: 0, count: words)
        for rule in column.rules where schema.rules[rule].severity == .reject && schema.rules[rule].code != "required" {
            let bits = bits(ofRule: rule)
            for word in 0..<words { unused[word] |= bits.failed[word] | bits.undecided[word] }
        }
        rowRuleEvaluator?.cells.keep(column.fieldIndex, bytes: bytes, missing: missing, failed: unused)
    }

    /// Checks a column in the order missing values, type, rules. Each check skips the rows that an earlier one settled,
    /// so that most checks examine few rows.
    private mutating func evaluate(
        _ view: ColumnView, column: BoundSchema.Column, hasEmpty: Bool, broken: UnsafePointer<UInt64>,
        nulls: UnsafePointer<UInt64>?, wrong: UnsafePointer<UInt64>?, nullTexts: UnsafePointer<UInt64>?,
        nullValues: UnsafePointer<UInt64>?
    ) {
        let field = column.field
        if let presence = field.presence, hasEmpty || !field.onlyEmptyIsMissing {
            let bits = VerdictBits(failed: missing, undecided: unused)
            presence.evaluate(view, skip: broken, scratch: scratch.handle, into: bits)
            if account != nil { takeOver(bits) }
        } else {
            missing.update(repeating: 0, count: words)
        }
        if let nullTexts {
            for word in 0..<words { missing[word] &= ~nullTexts[word] }
        }
        if let nullValues {
            // The cell of null is empty, but null is no text.
            for word in 0..<words { missing[word] &= ~nullValues[word] }
        }
        if let nulls {
            for word in 0..<words { missing[word] |= nulls[word] & ~broken[word] }
        }
        for word in 0..<words { closed[word] = broken[word] | missing[word] }

        var rule = column.firstRule
        if field.hasRequired {
            let bits = bits(ofRule: rule)
            bits.failed.update(from: missing, count: words)
            bits.undecided.update(repeating: 0, count: words)
            // This rule takes no time of its own, because all rules need the rows without a value.
            if !timings.isEmpty { timings[rule].values += view.count - assay_mask_count(broken, words) }
            rule += 1
        }
        if field.hasType {
            let bits = bits(ofRule: rule)
            if let wrong {
                for word in 0..<words {
                    unused[word] = wrong[word] & ~closed[word]
                    closed[word] |= unused[word]
                }
            }
            if let nullValues {
                for word in 0..<words { closed[word] |= nullValues[word] }
            }
            ask(rule, view, skip: closed)
            if wrong != nil { for word in 0..<words { bits.failed[word] |= unused[word] } }
            for word in 0..<words { closed[word] |= bits.failed[word] | bits.undecided[word] }
            rule += 1
        }
        if let nullValues {
            for word in 0..<words {
                closed[word] |= nullValues[word]
                closedToNull[word] = closed[word] & ~(nullValues[word] & ~broken[word] & ~(wrong?[word] ?? 0))
            }
        }
        while rule < column.rules.upperBound {
            let needsNull = nullValues != nil && schema.rules[rule].needsJSONType
            ask(rule, view, skip: needsNull ? closedToNull : closed)
            rule += 1
        }
        // For row rules, keys and counts null is a missing value.
        if let nullValues {
            for word in 0..<words { missing[word] |= nullValues[word] & ~broken[word] }
        }
    }

    /// Runs one rule over the rows that are not closed.
    private mutating func ask(_ rule: Int, _ view: ColumnView, skip: UnsafePointer<UInt64>) {
        let start = timings.isEmpty ? nil : ContinuousClock.now
        schema.rules[rule].node.evaluate(view, skip: skip, scratch: scratch.handle, into: bits(ofRule: rule))
        if account != nil { takeOver(bits(ofRule: rule)) }
        guard let start else { return }
        count(rule, since: start, values: view.count - count(skip))
    }

    private mutating func count(_ rule: Int, since start: ContinuousClock.Instant, values: Int) {
        timings[rule].time += start.duration(to: .now)
        timings[rule].values += values
    }

    /// Counts a rule's bits and adds them to the rejected and the marked rows.
    private mutating func settle(_ rule: Int) {
        let bits = bits(ofRule: rule)
        let failed = count(bits.failed)
        let undecided = count(bits.undecided)
        if failed + undecided == 0 { return }
        findingRules.append(rule)
        tally.rules[rule].failed += failed
        tally.rules[rule].undecided += undecided
        let isReject = schema.rules[rule].severity == .reject
        let (rejects, marked) = (rejectRows, markedRows)
        for word in 0..<words {
            let any = bits.failed[word] | bits.undecided[word]
            marked[word] |= any
            if isReject { rejects[word] |= any }
        }
    }

    /// The number of rows that the latest column rejects. Each row counts once.
    ///
    /// - Parameter first: The index of its first rule among the rules with findings.
    private func rejectedRows(from first: Int) -> Int {
        if first == findingRules.count { return 0 }
        unused.update(repeating: 0, count: words)
        for index in first..<findingRules.count where schema.rules[findingRules[index]].severity == .reject {
            let bits = bits(ofRule: findingRules[index])
            for word in 0..<words { unused[word] |= bits.failed[word] | bits.undecided[word] }
        }
        return count(unused)
    }

    /// Resets all counts.
    package mutating func resetTally() { tally.reset() }

    // A loop for one word, because a call takes longer than the loop for single records.
    private func count(_ mask: UnsafePointer<UInt64>) -> Int {
        words == 1 ? mask[0].nonzeroBitCount : assay_mask_count(mask, words)
    }

    /// Calls `body` for every finding of a row, in reported order.
    @inline(__always)
    package func forEachFinding(ofRow row: Int, _ body: (_ rule: Int, _ isUndecided: Bool) -> Void) {
        let (word, bit) = (row / 64, UInt64(row % 64))
        for rule in findingRules {
            let bits = bits(ofRule: rule)
            if bits.failed[word] >> bit & 1 != 0 { body(rule, false) }
            if bits.undecided[word] >> bit & 1 != 0 { body(rule, true) }
        }
    }
}

/// The numbers of findings by rule, and of missing values and rejected rows by column. Tallies of slices can be added.
package struct RuleTally: Sendable {
    package struct Counts: Hashable, Sendable {
        package var failed = 0
        package var undecided = 0

        package init() {}
    }

    /// The counts of each rule of the bound schema.
    package var rules: [Counts]
    /// By column of the bound schema.
    package var missing: [Int]
    /// For each column of the bound schema: the number of rows that a rule of severity reject fails or leaves
    /// undecided. Each row is counted once.
    package var rejected: [Int]
    /// For each column of the bound schema: the number of values that remain unchanged, because their repairs would
    /// change them a second time.
    package var unsettled: [Int]
    /// Rows that the budget of the call left undecided.
    package var overBudget = 0

    package init(_ schema: BoundSchema) {
        rules = Array(repeating: Counts(), count: schema.rules.count)
        missing = Array(repeating: 0, count: schema.columns.count)
        rejected = missing
        unsettled = missing
    }

    mutating func reset() {
        overBudget = 0
        for index in rules.indices { rules[index] = Counts() }
        for index in missing.indices { (missing[index], rejected[index], unsettled[index]) = (0, 0, 0) }
    }

    package mutating func add(_ other: RuleTally) {
        overBudget += other.overBudget
        for index in rules.indices {
            rules[index].failed += other.rules[index].failed
            rules[index].undecided += other.rules[index].undecided
        }
        for index in missing.indices {
            missing[index] += other.missing[index]
            rejected[index] += other.rejected[index]
            unsettled[index] += other.unsettled[index]
        }
    }
}

/// The location of the cells of a column.
package struct GatheredCells {
    /// The bytes of the column. Cells are offsets into them.
    let bytes: UnsafePointer<UInt8>
    /// Whether a value may be the empty text. If `false`, values are not searched for it.
    let mayHaveEmpty: Bool
    /// Rows without a value, regardless of their text.
    let nulls: UnsafePointer<UInt64>?
    /// Rows whose value is of another type, regardless of their text.
    let wrongTypes: UnsafePointer<UInt64>?
    /// Rows whose values are not repaired; `nil`: those of another type.
    let unrepaired: UnsafePointer<UInt64>?
    /// Rows with a value whose text equals a missing value: in a dialect in which `\N` is NULL, `\\N` is a value with
    /// the text `\N`.
    let nullTexts: UnsafePointer<UInt64>?
    /// Rows with null, where the types of JSON Schema make null a value; `nil`: null is missing.
    let nullValues: UnsafePointer<UInt64>?
    /// The kind of each value in JSON, an `assay_json_kind`; `nil`: the values are only texts.
    let kinds: UnsafePointer<UInt8>?
    /// The bytes after all cells of the same buffer, which may be overwritten with repaired values. The same for all
    /// columns of a slice.
    let room: UnsafeMutableBufferPointer<UInt8>?

    package init(
        bytes: UnsafePointer<UInt8>, mayHaveEmpty: Bool = true, nulls: UnsafePointer<UInt64>? = nil,
        wrongTypes: UnsafePointer<UInt64>? = nil, unrepaired: UnsafePointer<UInt64>? = nil,
        room: UnsafeMutableBufferPointer<UInt8>? = nil, nullTexts: UnsafePointer<UInt64>? = nil,
        nullValues: UnsafePointer<UInt64>? = nil, kinds: UnsafePointer<UInt8>? = nil
    ) {
        self.nullValues = nullValues
        self.kinds = kinds
        self.room = room
        self.nullTexts = nullTexts
        self.unrepaired = unrepaired
        self.bytes = bytes
        self.mayHaveEmpty = mayHaveEmpty
        self.nulls = nulls
        self.wrongTypes = wrongTypes
    }
}

/// The time of a rule, and the number of values that it examined.
package struct RuleTiming: Sendable {
    package var time = Duration.zero
    package var values = 0
}
