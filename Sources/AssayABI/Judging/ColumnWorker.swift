internal import Assay
internal import CAssay

/// What a worker needs to judge slices of one column.
struct ColumnWorker: ~Copyable {
    private let task: ColumnTask
    private let judge: FieldPlan.Judge

    init(_ task: ColumnTask) {
        self.task = task
        judge = task.plan.takeJudge()
    }

    deinit { task.plan.giveBack(judge) }

    /// Judges some rows and adds what was found to the verdicts of their slice.
    func judge(_ rows: Range<Int>, cells: inout SliceCells, into verdicts: inout SliceVerdicts) {
        if let dictionary = task.dictionary {
            return lookUp(rows, in: dictionary, cells: &cells, into: &verdicts)
        }
        var group = 0
        repeat {
            let base = group == 0 ? nil : cells.open(group)
            let (column, longest) = (task.column, task.plan.longest)
            // `closed` and `nulls` stand by the time the judge reads them: it gathers first.
            let (closed, nulls) = (cells.closed, cells.nulls)
            func gather(_ position: Int, _ target: UnsafeMutablePointer<assay_cell>) -> UnsafePointer<UInt8> {
                if let base { return base }
                cells.load(column, rows: rows, longest: longest, into: target)
                return cells.open(0)
            }
            judge.judge.judge(rows: rows.count, broken: closed, nulls: nulls, gather: gather)
            for rule in judge.judge.rulesWithFindings {
                verdicts.add(
                    task.firstRule + ReportedRule.own + rule, failed: judge.judge.failed(byRule: rule),
                    undecided: judge.judge.undecided(byRule: rule),
                    isReject: task.plan.schema.rules[rule].severity == .reject)
            }
            verdicts.addMissing(judge.judge.missingRows)
            group += 1
        } while group < cells.groups.count
        if cells.hasGarbled {
            verdicts.add(task.firstRule + ReportedRule.garbled, failed: cells.garbled, undecided: nil, isReject: true)
        }
        if cells.hasTooLong {
            verdicts.add(task.firstRule + ReportedRule.tooLong, failed: cells.tooLong, undecided: nil, isReject: true)
        }
    }

    /// Takes the verdicts of the dictionary's values to the rows that have them.
    private func lookUp(
        _ rows: Range<Int>, in dictionary: DictionaryVerdicts, cells: inout SliceCells,
        into verdicts: inout SliceVerdicts
    ) {
        guard case .dictionary(let indices, _) = task.column.values else { return }
        task.column.nullRows(rows, into: cells.nulls)
        let words = maskWords(rows.count)
        let isNull = cells.nulls
        if (0..<words).contains(where: { isNull[$0] != 0 }) {
            if let required = task.plan.required {
                verdicts.add(
                    task.firstRule + ReportedRule.own + required, failed: isNull, undecided: nil, isReject: true)
            }
            verdicts.addMissing(isNull)
        }
        if dictionary.isClean { return }
        dictionary.forEachMark(of: indices, rows: rows, nulls: isNull) { place, row in
            verdicts.add(place.rule, row: row, isUndecided: place.isUndecided, isReject: place.isReject)
        } missing: { row in
            verdicts.addMissing(row: row)
        }
    }
}
