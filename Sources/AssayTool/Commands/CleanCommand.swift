import ArgumentParser
import AssayFiles

/// It has more than twelve properties, because the parser needs one for each group of options.
struct CleanCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Split files into clean rows and rejects, with reasons and a report.",
        discussion: """
            users.csv becomes users.clean.csv and users.rejects.csv (both with the header; only repairs change rows), \
            users.findings.jsonl (one reason a line) and users.report.json. Outputs get their final names \
            only once they are complete.
            """
    )

    @Argument(
        help: ArgumentHelp("The files to read; - is standard input.", valueName: "file"), completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var selection: SelectionOptions
    @OptionGroup(title: "Rules") var rules: RuleOptions
    @OptionGroup(title: "Rules") var evaluation: EvaluationOptions
    @OptionGroup(title: "Rules") var time: TimeOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Outputs") var outputs: OutputOptions
    @OptionGroup(title: "Outputs") var findings: FindingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var memory: MemoryOptions
    @OptionGroup(title: "Running") var running: RunOptions
    @OptionGroup(title: "Running") var checkpoints: CheckpointOptions
    @OptionGroup(title: "Running") var engines: EngineOptions

    /// Checks the usage. This is not in `validate()`, because that runs before the parser reports an unknown option.
    private func checkUsage(_ tables: InputTables, _ line: Invocation) throws {
        if rules.rules == nil && !tables.isPackage {
            let begin = Invocation(
                "init", Array(inputs.prefix(1)), line.options.filter { ["--delimiter", "--quote"].contains($0.name) })
            let skeleton = unusedPath("users.rules", ending: ".yaml")
            throw ArgumentParser.ValidationError(
                "clean needs --rules. To start with a skeleton: \(begin.text) > \(skeleton)")
        }
        let files = [outputs.clean, outputs.rejects, findings.findings, outputs.changes].compactMap(\.self)
        try findings.refuseNoneAmongReports()
        if tables.tables.count > 1 && (files + findings.report).contains(where: { $0 != "none" }) {
            throw ArgumentParser.ValidationError(
                "--clean, --rejects, --findings, --changes and --report name one file each; with several "
                    + (tables.isPackage ? "tables use --output-dir." : "inputs use --output-dir, or --as-one."))
        }
        if inputs.contains(CleanJob.standard) && inputs.count > 1 {
            throw ArgumentParser.ValidationError("Standard input (-) cannot be mixed with other inputs.")
        }
        if isPiped && outputs.rejects == nil {
            throw ArgumentParser.ValidationError(
                "Standard input needs a path for the rejects: --rejects PATH, or --rejects none to drop them.")
        }
        if isPiped && outputs.outputDir != nil {
            throw ArgumentParser.ValidationError(
                "Standard input has no name for the outputs in --output-dir: name them with --clean, --rejects, "
                    + "--findings and --report."
            )
        }
        if outputs.outputDir?.isEmpty == true {
            throw ArgumentParser.ValidationError("--output-dir takes a directory, not ''; . is the current one.")
        }
        if checkpoints.resume && (tables.tables.count > 1 || tables.isPackage) {
            throw ArgumentParser.ValidationError("--resume takes one input.")
        }
        if checkpoints.resume && outputs.guardFormulas {
            throw ArgumentParser.ValidationError("--resume and --guard-formulas cannot be used together.")
        }
        if checkpoints.resume && isPiped {
            throw ArgumentParser.ValidationError(
                "--resume cannot be used with standard input, because it cannot be read again.")
        }
        if paths(for: tables.tables[0].name, nil).all.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("At most one output can be standard output (-).")
        }
    }

    private var isPiped: Bool { inputs == [CleanJob.standard] }

    func run(_ line: Invocation) throws {
        let given = JobOptions(
            line: line, inputs: inputs, dialect: dialect, input: input, limits: limits, trust: trust,
            selection: selection, rules: rules, evaluation: evaluation, time: time, findings: findings, memory: memory,
            run: running,
            engines: engines)
        let tables = try given.tables()
        try checkUsage(tables, line)
        let jobs = try openJobs(
            line, tables, unpacks: input.unpacks, force: findings.force,
            packing: outputs.compress.flatMap(OutputPackingOption.init)?.packing ?? .asInput,
            keepsEncoding: outputs.outputEncoding == OutputEncodingOption.same.rawValue,
            guardsFormulas: outputs.guardFormulas, resume: checkpoints.resume ? resumeOptions(line) : nil
        ) { paths(for: $0, $1) }
        var options = try given.cleanerOptions
        options.annotate = outputs.annotate
        try JobList(given: given, inputs: tables, options: options).run(jobs)
    }

    /// The options that must be the same in a run that resumes this one.
    private func resumeOptions(_ line: Invocation) -> ResumeOptions {
        let same = Invocation(
            line.command, line.inputs, line.sortedOptions.filter { !Self.harmless.contains($0.name) })
        return ResumeOptions(options: same.text, interval: .seconds(checkpoints.checkpointEvery ?? 5))
    }

    /// Options that may differ between a run and the run that resumes it. The rules themselves are compared separately.
    private static let harmless: Set = [
        "--rules", "--threads", "--max-reject-rate", "--progress", "--quiet", "--force", "--resume",
        "--checkpoint-every",
        "--memory", "--temp-dir",
    ]

    /// The paths of an input's outputs: derived from its name, unless given by options.
    private func paths(for input: String, _ compression: Compression?) -> OutputPaths {
        var paths =
            input == CleanJob.standard
            ? OutputPaths(clean: CleanJob.standard)
            : OutputPaths(nextTo: input, in: outputs.outputDir, packedAs: compression)
        func choose(_ given: String?, _ path: inout String?) {
            if let given { path = given == "none" ? nil : given }
        }
        choose(outputs.clean, &paths.clean)
        choose(outputs.rejects, &paths.rejects)
        choose(findings.findings, &paths.findings)
        choose(outputs.changes, &paths.changes)
        if !findings.report.isEmpty { paths.reports = findings.report.filter { $0 != "none" } }
        return paths
    }
}
