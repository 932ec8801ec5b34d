internal import Assay
internal import AssayRules

extension TableRun {
    /// Returns the result after all workers have ended.
    ///
    /// - Parameter hasRead: Whether this run has read the table, instead of an earlier one that it resumes.
    func result(hasRead: Bool = true) throws -> RunResult {
        let counts = ledger.counts.withLock { $0 }
        let (verdicts, threads) = ledger.workers.withLock { ($0.verdicts, $0.threads) }
        try assertConservation(counts, hasRead: hasRead)
        var result = RunResult()
        result.describe(plan)
        result.add(counts, plan)
        result.add(verdicts, plan)
        result.threads = threads
        result.findingsDropped = commit.droppedFindings(of: counts.findings)
        result.serialTime = serialTime
        policies.complete(&result, positions: plan.columnPositions)
        if result.isStopped { return result }
        if let json = plan.json, result.records > result.structure.total {
            try result.addAbsentFields(json.paths, present: verdicts.present, plan)
        }
        result.thresholds = result.measured(by: plan.cleaner.rules.thresholds)
        return result
    }

    /// Checks that the output contains each input record, and each byte if possible. Otherwise the run must not publish
    /// its outputs.
    private func assertConservation(_ counts: RunCounts, hasRead: Bool) throws(ConservationError) {
        let total = counts.total
        // In a stopped run, other workers may have read further.
        let isComplete = hasRead && !policies.haveEndedRun
        let read = isComplete ? reader.handedOut : (records: total.records, bytes: total.bytes)
        let outputs = plan.outputs
        let isCounted = !plan.findings.annotate && outputs.clean != nil && outputs.rejects != nil
        let bytesOut = isCounted ? counts.outputBytes : read.bytes
        guard read.records == total.records, total.bytes == read.bytes, bytesOut == read.bytes else {
            throw ConservationError(
                message: "\(read.records) records of \(read.bytes) bytes went in, but "
                    + "\(total.records - total.rejected) clean and \(total.rejected) rejected records of "
                    + "\(bytesOut) bytes came out")
        }
    }
}

extension RunResult {
    /// Adds the properties of the input that are known before its records are read.
    fileprivate mutating func describe(_ plan: RunPlan) {
        let head = plan.head
        header = head.header
        format = head.format
        compression = plan.parts[0].compression
        encoding = plan.parts[0].encoding
        delimiter = String(decoding: head.dialect.separatorBytes, as: UTF8.self)
        choseDelimiter = head.choseDelimiter
    }

    fileprivate mutating func add(_ counts: RunCounts, _ plan: RunPlan) {
        let total = counts.total
        leftOut = total.leftOut
        skippedBlankLines = total.skippedLines
        records = total.records - total.leftOut
        rejected = total.rejected
        clean = records - rejected
        undecided = total.undecided
        findings = counts.findings
        firstFindings = counts.firstFindings
        inputs = zip(plan.parts, counts.inputs).map { part, counts in
            RunResult.Input(
                name: part.source.name, compression: part.compression, encoding: part.encoding,
                bytes: part.head.prefix.count + counts.bytes, records: counts.records - counts.leftOut,
                clean: counts.records - counts.leftOut - counts.rejected, rejected: counts.rejected,
                undecided: counts.undecided, skippedBlankLines: counts.skippedLines)
        }
        bytes = inputs.reduce(0) { $0 + $1.bytes }
        encodingGuess = EncodingGuess(counts.misencodedSample)?.encoding
        mixesEncodings = EncodingGuess.isMixed(counts.misencodedSample)
    }

    fileprivate mutating func add(_ verdicts: VerdictCounts, _ plan: RunPlan) {
        structure = verdicts.structure
        lineBreaks = verdicts.lineBreaks
        positions = verdicts.positions.covering(records: records + leftOut)
        firstOfRules = verdicts.firsts.all
        overBudget = verdicts.tally.overBudget
        let bound = [(plan.bound, verdicts.tally)] + zip(plan.json?.lists ?? [], verdicts.listTallies)
        columns = bound.flatMap { $0.columns($1) }.sorted { $0.position < $1.position }.map(\.column)
        rows = plan.bound.results(of: plan.bound.rowRuleRange, verdicts.tally)
    }

    /// Adds the fields that no record of JSON Lines has.
    ///
    /// - Throws: ``InputError`` if the rules require one of them.
    fileprivate mutating func addAbsentFields(_ paths: JSONPaths, present: [Bool], _ plan: RunPlan) throws(InputError) {
        absentFields = paths.names.indices.filter { !present[$0] }.map { paths.names[$0] }
        let fields = plan.cleaner.rules.schema.fields
        // Required elements are required only of lists that have elements.
        let lists = Set(paths.lists)
        let needed = fields.indices.filter { index in
            let isRequired = fields[index].isRequired && !lists.contains(index)
            return !present[index] && (isRequired || !fields[index].isOptional)
        }.map { fields[$0].name }
        let isPart = plan.options.head != nil || plan.options.sample != nil
        if let error = InputError(absent: needed, of: paths.names, in: plan.head, isPart: isPart) { throw error }
    }
}

extension BoundSchema {
    fileprivate func columns(_ tally: RuleTally) -> [(position: Int, column: RunResult.Column)] {
        columns.enumerated().map { index, column in
            let rules = results(of: column.rules, tally)
            return (
                column.position,
                RunResult.Column(
                    name: column.name, missing: tally.missing[index], rejected: tally.rejected[index], rules: rules,
                    unsettled: tally.unsettled[index])
            )
        }
    }

    fileprivate func results(of range: Range<Int>, _ tally: RuleTally) -> [RunResult.Rule] {
        range.map { rule in
            let (counts, severity) = (tally.rules[rule], rules[rule].severity)
            return RunResult.Rule(
                id: rules[rule].id, severity: severity, failed: severity == .reject ? counts.failed : 0,
                warned: severity == .warn ? counts.failed : 0, undecided: counts.undecided,
                message: rules[rule].message)
        }
    }
}

/// An internal error: the outputs do not contain exactly the input records. The outputs of such a run are not
/// published.
public struct ConservationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The counts that differ.
    public var message: String
    public var description: String { "internal error, please report it: \(message)" }
}
