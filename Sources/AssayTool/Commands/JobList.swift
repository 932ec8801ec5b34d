import Assay
import AssayFiles
import AssayRules

/// Runs the inputs of one command, one after the other, and comes to one exit status.
struct JobList {
    let given: JobOptions
    /// The tables of the jobs, one for each.
    let inputs: InputTables
    let options: CleanerOptions
    /// The command that was given, for those that are suggested instead.
    let invocation: Invocation
    /// Whether only some of the records are judged.
    var sample: SampleOptions?

    private var input: InputOptions { given.input }

    /// `check`: rejects are what decides the exit status, unless a rate is given.
    private var isCheck: Bool { invocation.command == "check" }

    func run(_ jobs: [CleanJob]) throws {
        // Rules first: their mistakes should not wait for anything else. They are read once, and compiled once for all inputs
        // that are read alike.
        let base = try input.baseRules()
        var known: [RuleFile: Cleaner] = [:]
        let cleaners = try zip(jobs, inputs.tables).map { job, table in
            let rules = try table.rules ?? given.ruleFile(base, for: job.input)
            var options = options
            options.format = table.format
            options.sample = try sample?.sample(of: table, rules: rules, options: options, unpacks: input.unpacks)
            if let cleaner = known[rules], cleaner.options == options { return cleaner }
            let cleaner = try Cleaner(rules: rules, options: options)
            if jobs.count > 1 { known[rules] = cleaner }
            return cleaner
        }
        let referenced = cleaners.flatMap(\.rules.referencedPaths)
        try CleanJob.check(jobs, reading: inputs.otherFiles, referringTo: referenced)
        if !input.quiet { writeError(inputs.notes) }
        try stageEarly(jobs)
        // Then all heads: a column that is missing in the last file should not wait for the others to be done.
        var invocation = invocation
        invocation.rulesHaveDelimiter = base.dialect.delimiter != nil
        let tables = try forEachInput(inputs.names, of: invocation, suggestsCommands: !inputs.isPackage) {
            let table = try jobs[$0].prepare(cleaners[$0])
            if table.format == .jsonLines && !inputs.isPackage { try given.refuseTableOptions(jobs[$0].input) }
            return table
        }
        // Not before: what a run with --resume has left stays if this one does not begin.
        let removed = CleanJob.removeLeftovers(of: jobs, reading: inputs.otherFiles, referringTo: referenced)
        if !input.quiet { tellRemoved(removed) }
        if !inputs.isPackage && !input.quiet {
            for (job, table) in zip(jobs, tables) { warn(of: table.doubt, input: job.input, in: invocation) }
        }
        for case let bytes? in jobs.map(\.resumedBytes) where !input.quiet {
            writeError("assay: goes on behind the first \(byteAmount(bytes)), which an earlier run has done\n")
        }
        var worst = Status.done
        var reports: [RunReport] = []
        for (job, table) in zip(jobs, tables) {
            do {
                let report = try run(job, table)
                reports.append(report)
                worst = max(worst, try status(of: report))
            } catch {
                // With several inputs the others do not suffer for this one.
                if jobs.count == 1 || isBrokenPipe(error) { throw error }
                complain(error)
                worst = max(worst, error is InputError ? .couldNotStart : .failedUnderway)
            }
        }
        let rate = try input.rejectRate()
        let summary = Summary(
            style: Style(forStandardError: true), isCheck: isCheck, isPackage: inputs.isPackage,
            maxRejectRate: rate.flatMap { rate in input.maxRejectRate.map { ($0, rate) } }, head: options.head)
        if !input.quiet { writeError(summary.text(reports)) }
        writeError(summary.warnings(reports))
        if worst != .done { throw Ending(status: worst) }
    }

    /// Makes outputs, so that what cannot be written is known before anything is read: all of them, or, as files that are open
    /// are few, those of one job for each directory.
    private func stageEarly(_ jobs: [CleanJob]) throws {
        var places: Set<[String]> = []
        var free = freeOpenFiles - jobs.count
        let areFew = jobs.reduce(0) { $0 + $1.paths.all.count } <= min(free, 400)
        for job in jobs {
            let isNew = places.insert(job.paths.all.map { splitPath($0).directory }).inserted
            guard areFew || isNew && job.paths.all.count <= free else { continue }
            free -= job.paths.all.count
            try job.stage()
        }
    }

    private func run(_ job: CleanJob, _ table: PreparedTable) throws -> RunReport {
        let bar = Progress(mode: input.progress, name: job.input)
        defer { bar.finish() }
        guard bar.isShown else { return try job.run(table) }
        return try job.run(table) { bar.show($0) }
    }

    private func status(of report: RunReport) throws -> Status {
        let result = report.result
        if result.isStopped || result.thresholds.contains(where: \.isExceeded) { return .fellShort }
        // Without a word on how much may be rejected, `check` allows nothing, and `clean` all.
        let isUnsaid = isCheck && report.rules.thresholds.rejected == nil
        return result.rejectRate > (try input.rejectRate() ?? (isUnsaid ? 0 : 100)) ? .fellShort : .done
    }

    private func isBrokenPipe(_ error: any Error) -> Bool { (error as? FileError)?.isBrokenPipe ?? false }
}

/// Does something to each input, and goes on behind one that cannot be used, so that all of them are known at once.
///
/// - Parameters:
///   - invocation: what was asked for.
///   - suggestsCommands: whether the commands that would work are said last. What a Data Package says of its tables, no option
///     says better.
///   - body: is given the index of the input.
/// - Throws: ``Ending`` when there was one, or more; each has been complained about, unless they are very many.
func forEachInput<Result>(
    _ inputs: [String], of invocation: Invocation, suggestsCommands: Bool = true,
    _ body: (_ index: Int) throws -> Result
) throws -> [Result] {
    var results: [Result] = []
    var problems: [(input: String, error: InputError)] = []
    for (index, input) in inputs.enumerated() {
        do {
            results.append(try body(index))
        } catch let error as InputError {
            problems.append((input, error))
        }
    }
    if problems.isEmpty { return results }
    var lines = problems.prefix(20).map {
        suggestsCommands || $0.error.concernsRun ? $0.error.inOptions : $0.error.description
    }
    if problems.count > 20 { lines.append("and \(problems.count - 20) more inputs that cannot be used") }
    if suggestsCommands { lines[lines.count - 1] += Remedies(invocation: invocation).text(for: problems) }
    for line in lines { complain(line) }
    throw Ending(status: .couldNotStart)
}

/// Says which temporary files of earlier runs were removed.
func tellRemoved(_ paths: [String]) {
    for path in paths {
        writeError("assay: removed \(printable(path)), a temporary file left by a run that was killed\n")
    }
}
