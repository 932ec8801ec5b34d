import Assay
import AssayFiles
import AssayRules

/// Runs the inputs of one command, one after another, and computes one exit status.
struct JobList {
    let given: JobOptions
    /// The tables of the jobs, one per job.
    let inputs: InputTables
    let options: CleanerOptions
    /// The sample of records to check.
    var sample = SampleOptions.unset

    /// Whether the command is `check`, where any reject sets the exit status, unless a rate is given.
    private var isCheck: Bool { given.line.command == "check" }

    private var isQuiet: Bool { given.run.quiet }

    func run(_ jobs: [CleanJob]) throws {
        // Compile the rules first, so that their mistakes are reported at once. They are read once, and compiled once
        // for all inputs that are read the same way.
        let base = try given.baseRules()
        var known: [RuleFile: Cleaner] = [:]
        let cleaners = try zip(jobs, inputs.tables).map { job, table in
            let rules = try table.rules ?? given.ruleFile(base, for: job.input)
            var options = options
            options.format = table.format
            options.sample = try sample.sample(
                of: table, rules: rules, options: options, unpacks: given.input.unpacks)
            if let cleaner = known[rules], cleaner.options == options { return cleaner }
            let cleaner = try Cleaner(rules: rules, options: options)
            if jobs.count > 1 { known[rules] = cleaner }
            return cleaner
        }
        let referenced = cleaners.flatMap(\.rules.referencedPaths)
        try CleanJob.check(jobs, reading: inputs.otherFiles, referringTo: referenced)
        if !isQuiet { writeError(inputs.notes) }
        try stageEarly(jobs)
        // Then read all heads, so that a missing column in the last file is reported before the other files are
        // processed.
        var invocation = given.line
        invocation.rulesHaveDelimiter = base.dialect.delimiter != nil
        let tables = try forEachInput(inputs.names, of: invocation, suggestsCommands: !inputs.isPackage) {
            let table = try jobs[$0].prepare(cleaners[$0])
            if table.format == .jsonLines && !inputs.isPackage { try given.refuseTableOptions(jobs[$0].input) }
            return table
        }
        // Not earlier, because the files of a run with --resume must remain if this run does not start.
        let removed = CleanJob.removeLeftovers(of: jobs, reading: inputs.otherFiles, referringTo: referenced)
        if !isQuiet { reportRemoved(removed) }
        if !inputs.isPackage && !isQuiet {
            for (job, table) in zip(jobs, tables) { warn(of: table.doubt, input: job.input, in: invocation) }
        }
        for case let bytes? in jobs.map(\.resumedBytes) where !isQuiet {
            writeError("assay: continues after the first \(byteAmount(bytes)), which an earlier run processed\n")
        }
        var worst = Status.done
        var reports: [RunReport] = []
        for (job, table) in zip(jobs, tables) {
            do {
                let report = try run(job, table)
                reports.append(report)
                worst = max(worst, try status(of: report))
            } catch {
                // With several inputs, continue with the others.
                if jobs.count == 1 || isBrokenPipe(error) { throw error }
                complain(error)
                worst = max(worst, error is InputError ? .couldNotStart : .failedUnderway)
            }
        }
        let rate = try given.rules.rejectRate()
        let summary = Summary(
            style: Style(forStandardError: true), isCheck: isCheck, isPackage: inputs.isPackage,
            maxRejectRate: rate.flatMap { rate in given.rules.maxRejectRate.map { ($0, rate) } }, head: options.head)
        if !isQuiet { writeError(summary.text(reports)) }
        writeError(summary.warnings(reports))
        if worst != .done { throw Ending(status: worst) }
    }

    /// Creates outputs early, so that unwritable ones are reported before inputs are read. Creates all outputs if the
    /// limit of open files allows it, otherwise those of one job per directory.
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
        let bar = Progress(mode: given.run.progressMode, name: job.input)
        defer { bar.finish() }
        guard bar.isShown else { return try job.run(table) }
        return try job.run(table) { bar.show($0) }
    }

    private func status(of report: RunReport) throws -> Status {
        let result = report.result
        if result.isStopped || result.thresholds.contains(where: \.isExceeded)
            || result.tableRules.contains(where: \.isViolated)
        {
            return .fellShort
        }
        // If no rate is given, `check` allows no rejects, and `clean` allows any number.
        let isUnsaid = isCheck && report.rules.thresholds.rejected == nil
        return result.rejectRate > (try given.rules.rejectRate() ?? (isUnsaid ? 0 : 100)) ? .fellShort : .done
    }

    private func isBrokenPipe(_ error: any Error) -> Bool { (error as? FileError)?.isBrokenPipe ?? false }
}

/// Opens the inputs. If one cannot be opened, the job cannot start.
func openJobs(
    _ invocation: Invocation, _ inputs: InputTables, unpacks: Bool, force: Bool, packing: OutputPacking = .asInput,
    keepsEncoding: Bool = false, guardsFormulas: Bool = false, resume: ResumeOptions? = nil,
    paths: (String, Compression?) -> OutputPaths
) throws -> [CleanJob] {
    let files = inputs.tables.reduce(0) { $0 + $1.files.count }
    if files > freeOpenFiles {
        throw InputError(
            "\(plural(files, "input")) \(files == 1 ? "is" : "are") too many at once: \(openFileLimit) files may be "
                + "open",
            hint: "give fewer inputs at a time, or raise the limit (ulimit -Hn)")
    }
    return try forEachInput(inputs.names, of: invocation, suggestsCommands: !inputs.isPackage) { index in
        let table = inputs.tables[index]
        do {
            return try CleanJob(
                inputs: table.files, by: table.policy, force: force, format: table.format, unpacks: unpacks,
                packing: packing, keepsEncoding: keepsEncoding, guardsFormulas: guardsFormulas, resume: resume
            ) { paths(table.name, $0) }
        } catch let error as FileError where error.offset == nil {
            // An input that can be opened but not read fails the run.
            throw InputError("\(error)")
        }
    }
}

/// Runs `body` for each input and continues after unusable ones, so that all of them are reported at once.
///
/// - Parameters:
///   - invocation: the given command.
///   - suggestsCommands: whether to report commands that would work. `false` for a Data Package, whose descriptor
///     overrides options.
///   - body: receives the index of the input.
/// - Throws: ``Ending`` if an input was unusable. The first 20 unusable inputs have been reported.
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

/// Reports the temporary files of earlier runs that were removed.
func reportRemoved(_ paths: [String]) {
    for path in paths {
        writeError("assay: removed \(printable(path)), a temporary file left by a run that was killed\n")
    }
}
