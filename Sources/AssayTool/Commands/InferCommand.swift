import ArgumentParser
import Assay
import AssayFiles
import AssayRules

extension RuleFit: OptionWord {}

struct InferCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Write rules that fit a file, with the evidence for each, ready to edit.",
        discussion: """
            EXAMPLE:
              assay infer users.csv > users.rules.yaml
                  types, formats, sets, patterns, required and unique columns

            The rules accept all values of well-formed records. Tighter rules that some values fail are written as \
            comments; --fit typical writes rules instead that at most a twentieth of the values fail.

            Assay reads the file several times, because it tries the rules on all records. Small sets of values, and \
            the first value that a tighter rule rejects, are written into the rules.
            """
    )

    @Argument(
        help: ArgumentHelp("The files to read, several times, so that - is not possible.", valueName: "file"),
        completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var selection: SelectionOptions
    @OptionGroup(title: "Input") var sample: SampleOptions
    @OptionGroup(title: "Rules") var fitting: FitOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Running") var running: RunOptions

    struct FitOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The accepted values: all (of well-formed records) or typical (a rule may reject a twentieth). "
                    + "Default: all.", valueName: "values"),
            completion: RuleFit.completion)
        var fit: String?

        func validate() throws { try RuleFit.check(fit, of: "--fit") }

        var ruleFit: RuleFit { fit.flatMap(RuleFit.init) ?? .all }
    }

    func run(_ line: Invocation) throws {
        let options = JobOptions(
            line: line, inputs: inputs, dialect: dialect, input: input, limits: limits, trust: trust,
            selection: selection, run: running)
        let tables = try options.tables()
        if tables.isPackage {
            throw InputError(
                "\(printable(inputs[0])) is a Data Package, which has rules already",
                hint: "to infer rules from one of its files, give that file")
        }
        if tables.tables.count > 1 {
            throw ArgumentParser.ValidationError("infer takes one input, or several with --as-one.")
        }
        let input = tables.tables[0]
        let base = try options.baseRules()
        let rules = try options.ruleFile(base, for: input.files[0])
        let sources = try input.open()
        if let pipe = input.files.first(where: { !FileSource.isFile(at: $0) }) {
            throw InputError(
                "infer reads its input several times, and "
                    + "\(pipe == CleanJob.standard ? "standard input" : printable(pipe)) can be read only once",
                hint: "save it as a file first")
        }
        if sources.contains(where: \.isStandardOutput) {
            throw InputError(
                "standard output is redirected to the input \(printable(input.files[0]))",
                hint: "redirect the rules elsewhere: > users.rules.yaml")
        }
        let seen = try forEachInput([input.files[0]], of: line) { _ in
            try look(at: input, rules: rules, options)
        }
        var inference = RuleInference(seen[0].profile, dialect: seen[0].dialect, fit: fitting.ruleFit)
        let result = try inference.fit { try self.check($0, input, rules: rules, suggestsRepairs: $1, options) }
        var check = line
        check.command = "check"
        for name in ["--fit", "--quiet", "--sample", "--seed"] { check.remove(name) }
        if let encoding = result.encodingGuess, !running.quiet {
            let count = result.structure.encoding
            writeError(
                "assay: \(printable(input.files[0])): \(plural(count, "record")) \(count == 1 ? "is" : "are") not "
                    + "UTF-8: "
                    + "\(encoding.hint)\n")
        }
        try writeOutput(inference.text(result, command: "\(check.text) --rules THIS-FILE"))
        if sources.contains(where: \.hasChanged) { writeError(Summary.changeWarning(input.files)) }
    }

    private func look(at input: InputTable, rules: RuleFile, _ options: JobOptions) throws
        -> (profile: TableProfile, dialect: Dialect)
    {
        var settings = try options.cleanerOptions
        settings.format = input.format
        settings.sample = try sample.sample(
            of: input, rules: rules, options: settings, unpacks: options.input.unpacks)
        let profiler = try Profiler(rules: rules, options: settings)
        let prepared = try profiler.prepare(asOne: input.open())
        if prepared.format == .jsonLines { try options.refuseTableOptions(input.files[0]) }
        if !running.quiet { warn(of: prepared.doubt, input: input.files[0], in: options.line) }
        let bar = Progress(mode: running.progressMode, name: input.files[0])
        defer { bar.finish() }
        let profile = bar.isShown ? try profiler.run(prepared) { bar.show($0) } : try profiler.run(prepared)
        return (profile, prepared.writtenDialect(given: rules.dialect))
    }

    /// Counts the values that the rules refuse, over all records.
    private func check(
        _ inferred: RuleFile, _ input: InputTable, rules: RuleFile, suggestsRepairs: Bool, _ options: JobOptions
    ) throws -> RunResult {
        var inferred = inferred
        inferred.dialect = rules.dialect
        inferred.limits = rules.limits
        var settings = try options.cleanerOptions
        settings.format = input.format
        settings.keptFindings = 0
        settings.showValues = true
        settings.suggestsRepairs = suggestsRepairs
        let cleaner = try Cleaner(rules: inferred, options: settings)
        let bar = Progress(mode: running.progressMode, name: input.files[0])
        defer { bar.finish() }
        let table = try cleaner.prepare(asOne: input.open())
        return bar.isShown ? try cleaner.run(table) { bar.show($0) } : try cleaner.run(table)
    }
}
