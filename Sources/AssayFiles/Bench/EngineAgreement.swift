package import Assay
internal import AssayRules
internal import CAssay

/// Compares the findings of two engines row by row, because equal counts may be coincidental.
///
///     row    JIT              interpreter
///      17    email.pattern    email.pattern       agree
///      18    email.pattern                        disagree: one of the two is wrong
///      19    email.pattern    undecided           only a limit differs, as it may
///
/// An undecided result may differ between engines, and so may later checks of the same cell.
package struct EngineAgreement: ~Copyable {
    private let sample: BenchSample
    private let columns: [BoundSchema.Column]
    private let rules: [CompiledRule]
    private var one: SchemaEvaluator
    private var other: SchemaEvaluator

    /// - Parameters:
    ///   - one: The rules on one engine.
    ///   - other: The same rules on another engine.
    ///   - now: The time of both runs.
    package init(
        _ sample: BenchSample, _ one: BoundSchema, _ other: BoundSchema, limits: MatchLimits,
        now: Timestamp = .now()
    ) throws(NoMemoryError) {
        precondition(one.rules.count == other.rules.count, "engines are compared over the same rules")
        let (first, second) = (one, other)
        var firstEvaluator = try SchemaEvaluator(first, limits: limits)
        var secondEvaluator = try SchemaEvaluator(second, limits: limits)
        firstEvaluator.setNow(now)
        secondEvaluator.setNow(now)
        self.one = firstEvaluator
        self.other = secondEvaluator
        self.sample = sample
        columns = first.columns
        rules = first.rules
    }

    /// Checks all records on both engines.
    ///
    /// - Throws: ``ConservationError`` that names the first row with different findings; ``NoMemoryError``.
    package mutating func check() throws {
        for chunk in sample.chunks {
            var lines = assay_lines_begin(
                chunk.batch, chunk.bytes, sample.dialect.cr_ends, UInt64(chunk.linesBefore + 1))
            var problem: ConservationError?
            try sample.forEachSlice(of: chunk) { slice, broken, used in
                guard problem == nil, let (row, rule) = firstDifference(slice, broken, used: used) else { return }
                let entry = slice.first + row
                let place = slice.place(
                    entry, position: columns[column(of: rule)].position,
                    delimiterBytes: sample.head.dialect.separatorBytes.count)
                let line = assay_lines_at(&lines, place, UInt32(entry))
                problem = ConservationError(
                    message: "\(printable(sample.name)):\(line):"
                        + "\(chunk.firstOffset + place): the engines disagree about the rule "
                        + "\(printable(rules[rule].id)) in record \(chunk.recordNumber(entry))")
            }
            if let problem { throw problem }
        }
    }

    private mutating func firstDifference(
        _ slice: Slice, _ broken: UnsafePointer<UInt64>, used start: UInt32
    ) -> (row: Int, rule: Int)? {
        var used = start
        slice.evaluate(&one, broken: broken, dialect: sample.dialect, used: &used)
        used = start
        slice.evaluate(&other, broken: broken, dialect: sample.dialect, used: &used)
        for word in 0..<maskWords(slice.rows) {
            var marked = one.marked[word] | other.marked[word]
            while marked != 0 {
                let row = word * 64 + marked.trailingZeroBitCount
                if let rule = difference(row) { return (row, rule) }
                marked &= marked - 1
            }
        }
        return nil
    }

    /// Returns the first rule that only one engine fails, in a column without undecided rules.
    private func difference(_ row: Int) -> Int? {
        var failed: Set<Int> = []
        var undecidedColumns: Set<Int> = []
        one.forEachFinding(ofRow: row) { rule, isUndecided in
            if isUndecided { undecidedColumns.insert(column(of: rule)) } else { failed.insert(rule) }
        }
        other.forEachFinding(ofRow: row) { rule, isUndecided in
            if isUndecided { undecidedColumns.insert(column(of: rule)) } else { failed.formSymmetricDifference([rule]) }
        }
        return failed.filter { !undecidedColumns.contains(column(of: $0)) }.min()
    }

    private func column(of rule: Int) -> Int {
        columns.firstIndex { $0.rules.contains(rule) } ?? 0
    }
}
