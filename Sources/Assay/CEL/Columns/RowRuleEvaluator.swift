internal import CAssay

/// Checks the rules between columns, after the columns of a slice were checked.
///
///     columns ──keep──► RowCells ──► RowEvaluator ──► a mask for each rule
///                                    interpreter      for the remaining rows
final class RowRuleEvaluator {
    private let rules: [CompiledRowRule]
    let cells: RowCells
    private let evaluator: RowEvaluator
    private let skip: UnsafeMutablePointer<UInt64>
    /// The maximum memory of one row (``MatchLimits/rowRuleBytes``).
    private let maxBytes: Int
    /// The account of the call; `nil`: no budget.
    var account: BudgetAccount?
    /// The time of the run. `nil` until a rule needs it, or until it is set.
    var now: Timestamp?
    private let scratch: OpaquePointer
    /// The rows that the latest rule left undecided because the call's budget for work or memory is exhausted.
    let over: UnsafeMutablePointer<UInt64>
    /// The rows of the slice that reached a limit, by rule. Usually empty.
    private var exhausted: [Int: [Int: CELResource]] = [:]

    /// Returns an evaluator; `nil` if the schema has no such rules.
    static func make(
        _ schema: BoundSchema, limits: MatchLimits, scratch: OpaquePointer
    ) throws(NoMemoryError) -> RowRuleEvaluator? {
        schema.rowRules.isEmpty ? nil : try RowRuleEvaluator(schema, limits: limits, scratch: scratch)
    }

    private init(_ schema: BoundSchema, limits: MatchLimits, scratch: OpaquePointer) throws(NoMemoryError) {
        rules = schema.rowRules
        maxBytes = limits.rowRuleBytes
        let depth = rules.map { $0.operation?.depth ?? 0 }.max() ?? 0
        cells = try RowCells(schema.rowVariables)
        evaluator = try RowEvaluator(cells, depth: depth, scratch: scratch)
        skip = try reserve(2 * maskWords(SchemaEvaluator.sliceRows), for: "the rows of a thread")
        over = skip + maskWords(SchemaEvaluator.sliceRows)
        self.scratch = scratch
    }

    deinit { release(skip) }

    /// The storage for the cells of a field; `nil` if no rule refers to the field.
    func keptCells(_ field: Int) -> UnsafeMutablePointer<assay_cell>? { cells.columns[field]?.cells }

    /// Keeps the values of a field that were checked separately, if a rule refers to it.
    func keep(_ field: Int, _ column: KeptColumn) {
        guard let kept = keptCells(field) else { return }
        if column.numbers == nil { kept.update(from: column.cells, count: cells.rows) }
        cells.keep(field, column)
    }

    /// Begins a slice, in which all columns are empty (``RowCells/begin(rows:broken:)``).
    func begin(rows: Int, broken: UnsafePointer<UInt64>) {
        cells.begin(rows: rows, broken: broken)
        if !exhausted.isEmpty { exhausted.removeAll() }
    }

    /// The rows of the slice that reached a limit in a rule, and the limit.
    func exhaustedRows(ofRule index: Int) -> [Int: CELResource] { exhausted[index] ?? [:] }

    /// Checks one rule.
    ///
    /// - Parameter broken: Rows that are excluded from further checks.
    func evaluate(_ index: Int, broken: UnsafePointer<UInt64>, into bits: VerdictBits) {
        let rule = rules[index]
        if rule.program.usesNow && now == nil { now = .current }
        let words = maskWords(cells.rows)
        skip.update(from: broken, count: words)
        for field in rule.fields {
            let failed = cells.columns[field]!.failed
            for word in 0..<words { skip[word] |= failed[word] }
        }
        if account != nil {
            over.update(repeating: 0, count: words)
            if !assay_scratch_spend(scratch, UInt64(ticks(of: rule))) {
                bits.clear(rows: cells.rows)
                for word in 0..<words {
                    over[word] = liveRows(word, of: cells.rows, skip)
                    bits.undecided[word] = over[word]
                }
                return
            }
        }
        func interpret(_ row: Int) -> CELOutcome {
            let outcome = account.map { chargedOutcome(rule.program, row: row, $0) } ?? plainOutcome(rule.program, row)
            if case .exhausted(let resource) = outcome { exhausted[index, default: [:]][row] = resource }
            return outcome
        }
        if let operation = rule.operation {
            let far = skipFar(rule.fields)
            evaluator.evaluate(operation, now: now, skip: skip, into: bits, interpret: interpret)
            // Reset the row, because the interpreter has checked the rows that the operations left undecided.
            if account != nil { _ = assay_scratch_take_first_over(scratch) }
            for row in far { bits.write(row, interpret(row)) }
        } else {
            bits.clear(rows: cells.rows)
            for word in 0..<words {
                forEachBit(in: liveRows(word, of: cells.rows, skip)) {
                    bits.write(word * 64 + $0, interpret(word * 64 + $0))
                }
            }
        }
    }

    private func plainOutcome(_ program: CELProgram, _ row: Int) -> CELOutcome {
        program.outcome(maxBytes: maxBytes, now: now) { self.cells.outcome($0, row: row, &$1) }
    }

    /// The ticks of the operations of a rule over the columns of the slice.
    private func ticks(of rule: CompiledRowRule) -> Int {
        guard let operation = rule.operation else { return cells.rows }
        var bytes = 0
        if operation.textCount > 0 {
            for field in rule.fields {
                let column = cells.columns[field]!
                for row in 0..<cells.rows { bytes += Int(column.cells[row].length) }
            }
        }
        return 4 * operation.count * cells.rows + operation.textCount * bytes
    }

    /// The outcome of a row. Steps are charged before they run: first 1,024, then sixteen times more in each attempt,
    /// up to the limit of an evaluation. An evaluation that ends below its limit has the same outcome under any higher
    /// limit.
    private func chargedOutcome(_ program: CELProgram, row: Int, _ account: BudgetAccount) -> CELOutcome {
        let room = account.rowBytes
        let bytes = min(maxBytes, room ?? .max)
        var steps = 1024
        while assay_scratch_spend(scratch, UInt64(steps * BudgetAccount.ticksPerStep)) {
            var interpreter = CELInterpreter(program: program, now: now, maxBytes: bytes, maxSteps: steps)
            let outcome = interpreter.outcome { self.cells.outcome($0, row: row, &$1) }
            let unused = max(0, steps - interpreter.budget.steps)
            assay_scratch_refund(scratch, UInt64(unused * BudgetAccount.ticksPerStep))
            switch outcome {
            case .exhausted(.work) where steps < CELBudget.maxSteps:
                steps = min(16 * steps, CELBudget.maxSteps)
                continue
            // The evaluation might have fit into the memory limit of the rules alone.
            case .exhausted(.memory) where bytes < maxBytes: break
            default: return outcome
            }
            break
        }
        over[row / 64] |= 1 << UInt64(row % 64)
        return .undecided
    }

    /// Excludes the rows with values outside their columns from column operations, and returns them.
    private func skipFar(_ fields: Set<Int>) -> [Int] {
        var rows: [Int] = []
        for (field, value) in cells.far where fields.contains(field) {
            let (word, bit) = (value.row / 64, UInt64(1) << UInt64(value.row % 64))
            if skip[word] & bit != 0 { continue }
            skip[word] |= bit
            rows.append(value.row)
        }
        return rows
    }
}

extension CompiledSchema {
    /// The fields that a rule between columns refers to.
    package func fields(ofRowRule index: Int) -> Set<Int> { rowRules[index].fields }
}
