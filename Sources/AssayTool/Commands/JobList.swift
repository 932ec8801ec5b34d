import Assay
import AssayFiles
import AssayRules

/// Runs the inputs of one command, one after the other, and comes to one exit status.
struct JobList {
    let input: InputOptions
    let options: CleanerOptions
    /// `check`: rejects are what decides the exit status, unless a rate is given.
    let isCheck: Bool

    func run(_ jobs: [CleanJob]) throws {
        // Rules first: their mistakes should not wait for anything else. They are read once, and compiled once for all inputs
        // that are read alike.
        let base = try input.baseRules()
        var options = options
        options.guessesDelimiter = input.guessesDelimiter(base)
        var known: [RuleFile: Cleaner] = [:]
        let cleaners = try jobs.map { job in
            let rules = try input.ruleFile(base, for: job.input)
            let cleaner = try known[rules] ?? Cleaner(rules: rules, options: options)
            known[rules] = cleaner
            return cleaner
        }
        try CleanJob.check(jobs)
        // Early, so that what cannot be written is known before anything is read; but files that are open are few.
        if jobs.count <= 50 { for job in jobs { try job.stage() } }
        // Then all heads: a column that is missing in the last file should not wait for the others to be done.
        let tables = try forEachInput(Array(zip(jobs, cleaners))) { job, cleaner in
            Remedies.invocation = (isCheck ? "check" : "clean", job.input, input.rules)
            return try job.prepare(cleaner)
        }
        var worst = Status.done
        var reports: [RunReport] = []
        for (job, table) in zip(jobs, tables) {
            do {
                let report = try run(job, table)
                reports.append(report)
                worst = max(worst, try status(of: report.result))
            } catch {
                // With several inputs the others do not suffer for this one.
                if jobs.count == 1 || isBrokenPipe(error) { throw error }
                complain("\(error)")
                worst = max(worst, error is InputError ? .couldNotStart : .failedUnderway)
            }
        }
        if !input.quiet {
            let summary = Summary(
                style: Style(forStandardError: true), isCheck: isCheck, allowedRate: try input.rejectRate(),
                showValues: options.showValues, isHead: options.head != nil)
            writeError(summary.text(reports))
        }
        if worst != .done { throw Ending(status: worst) }
    }

    private func run(_ job: CleanJob, _ table: PreparedTable) throws -> RunReport {
        let bar = Progress(mode: input.quiet ? .never : input.progress, name: job.input)
        defer { bar.finish() }
        guard bar.isShown else { return try job.run(table) }
        return try job.run(table) { bar.show($0) }
    }

    private func status(of result: RunResult) throws -> Status {
        let rate = try input.rejectRate()
        if isCheck { return result.rejectRate > (rate ?? 0) ? .fellShort : .done }
        guard let rate else { return .done }
        return result.rejectRate > rate ? .fellShort : .done
    }

    private func isBrokenPipe(_ error: any Error) -> Bool { (error as? FileError)?.isBrokenPipe ?? false }
}

/// Does something to each input, and goes on behind one that cannot be used, so that all of them are known at once.
///
/// - Throws: ``Ending`` when there was one, or more; each has been complained about, unless they are very many.
func forEachInput<Input, Result>(_ inputs: [Input], _ body: (Input) throws -> Result) throws -> [Result] {
    var results: [Result] = []
    var problems = 0
    for input in inputs {
        do {
            results.append(try body(input))
        } catch let error as InputError {
            problems += 1
            if problems <= 20 { complain("\(error)" + Remedies.text(for: error)) }
        }
    }
    if problems > 20 { complain("and \(problems - 20) inputs more that cannot be used") }
    if problems > 0 { throw Ending(status: .couldNotStart) }
    return results
}
