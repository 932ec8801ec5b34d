import ArgumentParser
import AssayFiles

/// The options that only `clean` has, and its run.
struct CleanOptions: FileOptions {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Split files into clean rows and rejects, with reasons and a report.",
        discussion: """
            users.csv becomes users.clean.csv and users.rejects.csv (both byte for byte, with the header), \
            users.findings.jsonl (one reason a line) and users.report.json. Outputs get their final names \
            only once they are complete.
            """
    )

    @Option(
        help: ArgumentHelp("Where the clean rows go; - is standard output, none discards them.", valueName: "path"),
        completion: .file())
    var clean: String?

    @Option(help: ArgumentHelp("Where the rejects go; none discards them.", valueName: "path"), completion: .file())
    var rejects: String?

    @Option(
        help: ArgumentHelp(
            "Where the findings go: JSON Lines, or CSV if the name ends in .csv; none discards them.", valueName: "path"
        ),
        completion: .file())
    var findings: String?

    @Option(
        help: ArgumentHelp(
            "Write the changes that repairs made: JSON Lines, or CSV if the name ends in .csv.", valueName: "path"),
        completion: .file())
    var changes: String?

    @Option(
        name: .customLong("report"), parsing: .singleValue,
        help: ArgumentHelp(
            "Where the report goes, in the form of its ending: .json, .html, .md, .sarif or .xml (JUnit). May be repeated; none discards it.",
            valueName: "path"), completion: .file())
    var reports: [String] = []

    @Option(
        name: .customLong("output-dir"),
        help: ArgumentHelp("Put the outputs there instead of beside the input.", valueName: "directory"),
        completion: .directory)
    var outputDirectory: String?

    @Option(
        name: .customLong("compress"),
        help: "How outputs are packed: gzip, zstd or none. Default: as the input; a path given by name says it itself.",
        completion: OutputPackingOption.completion, transform: OutputPackingOption.checked)
    var compressWord: String?

    @Option(
        name: .customLong("output-encoding"),
        help: "Clean rows and rejects are written as utf-8 (default), or as same: in the encoding of the input.",
        completion: OutputEncodingOption.completion, transform: OutputEncodingOption.checked)
    var outputEncodingWord: String?

    @Flag(help: "Add the columns _line and _reasons to the rejects.")
    var annotate = false

    @Flag(
        name: .customLong("guard-formulas"),
        help: "For outputs that are opened in Excel: an apostrophe before cells that it would compute.")
    var guardFormulas = false

    @Flag(help: "Replace outputs that exist.")
    var force = false

    @Flag(help: "Keep a checkpoint beside the outputs; if there is one, go on where that run was ended.")
    var resume = false

    @Option(
        name: .customLong("checkpoint-every"), parsing: .unconditional,
        help: ArgumentHelp(
            "With --resume: how long to work at least between two checkpoints. Default: 5.", valueName: "seconds"))
    var checkpointSeconds: Double?

    /// Checks the usage. Not in `validate()`, which would run before the parser reports an unknown option.
    private func checkUsage(_ input: InputOptions, _ inputs: InputTables) throws {
        if input.rules == nil && !inputs.isPackage {
            let begin = Invocation(
                "init", Array(input.inputs.prefix(1)),
                [.option("--delimiter", input.delimiter), .option("--quote", input.quote)])
            let skeleton = unusedPath("users.rules", ending: ".yaml")
            throw ArgumentParser.ValidationError(
                "clean needs --rules. To start with a skeleton: \(begin.text) > \(skeleton)")
        }
        let named = ([clean, rejects, findings, changes].compactMap(\.self) + reports).filter { $0 != "none" }
        try refuseNoneAmongReports(reports)
        if inputs.tables.count > 1 && !named.isEmpty {
            throw ArgumentParser.ValidationError(
                "--clean, --rejects, --findings, --changes and --report name one file each; with several "
                    + (inputs.isPackage ? "tables use --output-dir." : "inputs use --output-dir, or --as-one."))
        }
        if input.inputs.contains(CleanJob.standard) && input.inputs.count > 1 {
            throw ArgumentParser.ValidationError("Standard input (-) cannot be mixed with other inputs.")
        }
        if input.inputs == [CleanJob.standard] && rejects == nil {
            throw ArgumentParser.ValidationError(
                "With standard input, say where the rejects go: --rejects PATH, or --rejects none to drop them.")
        }
        if input.inputs == [CleanJob.standard] && outputDirectory != nil {
            throw ArgumentParser.ValidationError(
                "Standard input has no name for the outputs in --output-dir: name them with --clean, --rejects, --findings and --report."
            )
        }
        if outputDirectory?.isEmpty == true {
            throw ArgumentParser.ValidationError("--output-dir takes a directory, not ''; . is the current one.")
        }
        if let checkpointSeconds {
            if !(0...86_400).contains(checkpointSeconds) {
                throw ArgumentParser.ValidationError(
                    "--checkpoint-every takes a number of seconds from 0 to 86400.")
            }
            if !resume { throw ArgumentParser.ValidationError("--checkpoint-every is for --resume.") }
        }
        if resume && (inputs.tables.count > 1 || inputs.isPackage) {
            throw ArgumentParser.ValidationError("--resume takes one input.")
        }
        if resume && guardFormulas {
            throw ArgumentParser.ValidationError("--resume and --guard-formulas cannot be used together.")
        }
        if resume && input.inputs == [CleanJob.standard] {
            throw ArgumentParser.ValidationError(
                "--resume cannot be used with standard input: what was read cannot be read again.")
        }
        if paths(for: inputs.tables[0].name, nil).all.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("At most one output can be standard output (-).")
        }
    }

    func run(_ given: JobOptions) throws {
        let input = given.input
        let inputs = try given.tables()
        try checkUsage(input, inputs)
        let invocation = given.invocation(
            "clean",
            [
                .option("--clean", clean), .option("--rejects", rejects), .option("--findings", findings),
                .option("--changes", changes), .option("--output-dir", outputDirectory),
                .option("--compress", compressWord), .option("--output-encoding", outputEncodingWord),
                .flag("--annotate", annotate), .flag("--guard-formulas", guardFormulas),
                .flag("--force", force), .flag("--resume", resume),
                .option("--checkpoint-every", checkpointSeconds.map { "\($0)" }),
            ] + reports.map { .option("--report", $0) })
        let resumption = resume ? resumeOptions(invocation) : nil
        let jobs = try openJobs(
            invocation, inputs, unpacks: input.unpacks, force: force,
            packing: compressWord.flatMap(OutputPackingOption.init)?.packing ?? .asInput,
            keepsEncoding: outputEncodingWord == OutputEncodingOption.same.rawValue,
            guardsFormulas: guardFormulas, resume: resumption
        ) { paths(for: $0, $1) }
        var options = given.cleanerOptions
        options.annotate = annotate
        try JobList(given: given, inputs: inputs, options: options, invocation: invocation).run(jobs)
    }

    /// The options that must be the same in a run that resumes this one.
    private func resumeOptions(_ invocation: Invocation) -> ResumeOptions {
        var same = invocation
        for name in Self.harmless { same.remove(name) }
        return ResumeOptions(options: same.text, interval: .seconds(checkpointSeconds ?? 5))
    }

    /// Options that do not affect the written bytes.
    private static let harmless = [
        "--rules", "--threads", "--max-reject-rate", "--progress", "--quiet", "--force", "--resume",
        "--checkpoint-every",
        "--memory", "--temp-dir",
    ]

    /// The paths of an input's outputs: derived from its name, unless given by options.
    private func paths(for input: String, _ compression: Compression?) -> OutputPaths {
        var paths =
            input == CleanJob.standard
            ? OutputPaths(clean: CleanJob.standard)
            : OutputPaths(besides: input, in: outputDirectory, packedAs: compression)
        func choose(_ given: String?, _ path: inout String?) {
            if let given { path = given == "none" ? nil : given }
        }
        choose(clean, &paths.clean)
        choose(rejects, &paths.rejects)
        choose(findings, &paths.findings)
        choose(changes, &paths.changes)
        if !reports.isEmpty { paths.reports = reports.filter { $0 != "none" } }
        return paths
    }
}

enum OutputEncodingOption: String, OptionWord {
    case utf8 = "utf-8"
    case same
}

enum OutputPackingOption: String, OptionWord {
    case gzip, zstd, none

    var packing: OutputPacking {
        switch self {
        case .gzip: .packed(.gzip)
        case .zstd: .packed(.zstd)
        case .none: .none
        }
    }
}

/// The options that only `check` has, and its run.
struct CheckOptions: FileOptions {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge files without splitting them.",
        discussion: """
            Without --rules only structure and encoding are judged. Exits with 1 when more records are rejected \
            than --max-reject-rate or the thresholds of the rules allow (none, by default).
            """
    )

    @Option(
        help: ArgumentHelp("Write the findings: JSON Lines, or CSV if the name ends in .csv.", valueName: "path"),
        completion: .file())
    var findings: String?

    @Option(
        name: .customLong("report"), parsing: .singleValue,
        help: ArgumentHelp(
            "Write the report, in the form of its ending: .json, .html, .md, .sarif or .xml (JUnit). May be repeated.",
            valueName: "path"), completion: .file())
    var reports: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Judge only a random sample: a share such as 1%, or so many records, such as 10000.", valueName: "amount"))
    var sample: String?

    @Option(
        name: .customLong("seed"), parsing: .unconditional,
        help: ArgumentHelp("Which sample it is: the same seed takes the same records. Default: 0.", valueName: "n"),
        transform: SampleOptions.checkedSeed)
    var seedText: String?

    @Flag(
        name: .customLong("repair-preview"), help: "Show the first changes that repairs would make, with their values.")
    var repairPreview = false

    @Flag(help: "Replace outputs that exist.")
    var force = false

    private func checkUsage(_ inputs: InputTables) throws {
        _ = try SampleOptions(sample, seed: seedText)
        let named = ([findings].compactMap(\.self) + reports).filter { $0 != "none" }
        try refuseNoneAmongReports(reports)
        if inputs.tables.count > 1 && !named.isEmpty {
            throw ArgumentParser.ValidationError(
                inputs.isPackage
                    ? "--findings and --report take one table, and the Data Package has \(inputs.tables.count)."
                    : "--findings and --report take one input, or several with --as-one.")
        }
        if named.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("At most one output can be standard output (-).")
        }
    }

    func run(_ given: JobOptions) throws {
        let input = given.input
        let inputs = try given.tables()
        try checkUsage(inputs)
        let paths = OutputPaths(
            findings: findings == "none" ? nil : findings, reports: reports.filter { $0 != "none" })
        let invocation = given.invocation(
            "check",
            [
                .option("--findings", findings), .option("--sample", sample),
                .option("--seed", seedText), .flag("--repair-preview", repairPreview),
                .flag("--force", force),
            ] + reports.map { .option("--report", $0) })
        let jobs = try openJobs(invocation, inputs, unpacks: input.unpacks, force: force) { _, _ in
            paths
        }
        var options = given.cleanerOptions
        options.suggestsRepairs = !input.quiet && !given.judging.noRepair && input.rules != nil
        if repairPreview { options.keptChanges = Self.previewedChanges }
        try JobList(
            given: given, inputs: inputs, options: options, invocation: invocation,
            sample: SampleOptions(sample, seed: seedText)
        ).run(jobs)
    }

    private static let previewedChanges = 10
}

/// Refuses `none` together with other reports, because they contradict each other.
private func refuseNoneAmongReports(_ reports: [String]) throws {
    guard reports.count > 1, reports.contains("none") else { return }
    throw ArgumentParser.ValidationError("--report none leaves the report out, and goes with no other --report.")
}

/// Opens the inputs. If one cannot be opened, the job cannot start.
private func openJobs(
    _ invocation: Invocation, _ inputs: InputTables, unpacks: Bool, force: Bool, packing: OutputPacking = .asInput,
    keepsEncoding: Bool = false, guardsFormulas: Bool = false, resume: ResumeOptions? = nil,
    paths: (String, Compression?) -> OutputPaths
) throws -> [CleanJob] {
    let files = inputs.tables.reduce(0) { $0 + $1.files.count }
    if files > freeOpenFiles {
        throw InputError(
            "\(plural(files, "input")) \(files == 1 ? "is" : "are") too many at once: \(openFileLimit) files may be open",
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
