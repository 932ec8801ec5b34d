import ArgumentParser
import AssayFiles

/// It has more than twelve properties, because the parser needs one for each group of options.
struct CheckCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge files without splitting them.",
        discussion: """
            Without --rules only structure and encoding are judged. Exits with 1 when more records are rejected \
            than --max-reject-rate or the thresholds of the rules allow (0 by default).
            """
    )

    @Argument(
        help: ArgumentHelp("The files to read; - is standard input.", valueName: "file"), completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var selection: SelectionOptions
    @OptionGroup(title: "Input") var sample: SampleOptions
    @OptionGroup(title: "Rules") var rules: RuleOptions
    @OptionGroup(title: "Rules") var evaluation: EvaluationOptions
    @OptionGroup(title: "Rules") var time: TimeOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Outputs") var findings: FindingOptions
    @OptionGroup(title: "Outputs") var preview: PreviewOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var memory: MemoryOptions
    @OptionGroup(title: "Running") var running: RunOptions
    @OptionGroup(title: "Running") var engines: EngineOptions

    struct PreviewOptions: ParsableArguments {
        @Flag(help: "Show the first changes that repairs would make, with their values.")
        var repairPreview = false
    }

    private func checkUsage(_ tables: InputTables) throws {
        let named = (findings.report + [findings.findings].compactMap(\.self)).filter { $0 != "none" }
        try findings.refuseNoneAmongReports()
        if tables.tables.count > 1 && !named.isEmpty {
            throw ArgumentParser.ValidationError(
                tables.isPackage
                    ? "--findings and --report take one table, and the Data Package has \(tables.tables.count)."
                    : "--findings and --report take one input, or several with --as-one.")
        }
        if named.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("At most one output can be standard output (-).")
        }
    }

    func run(_ line: Invocation) throws {
        let given = JobOptions(
            line: line, inputs: inputs, dialect: dialect, input: input, limits: limits, trust: trust,
            selection: selection, rules: rules, evaluation: evaluation, time: time, findings: findings, memory: memory,
            run: running,
            engines: engines)
        let tables = try given.tables()
        try checkUsage(tables)
        let paths = OutputPaths(
            findings: findings.findings == "none" ? nil : findings.findings,
            reports: findings.report.filter { $0 != "none" })
        let jobs = try openJobs(line, tables, unpacks: input.unpacks, force: findings.force) { _, _ in paths }
        var options = try given.cleanerOptions
        options.suggestsRepairs = !running.quiet && !evaluation.noRepair && rules.rules != nil
        if preview.repairPreview { options.keptChanges = Self.previewedChanges }
        try JobList(given: given, inputs: tables, options: options, sample: sample).run(jobs)
    }

    private static let previewedChanges = 10
}
