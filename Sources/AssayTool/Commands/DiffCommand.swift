import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// It has more than twelve properties, because the parser needs one for each group of options.
struct DiffCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two rule files over files: which records change verdict, by which rules.",
        discussion: """
            EXAMPLES:
              assay diff old.yaml new.yaml users.csv
                  show the records that get another verdict
              assay diff old.yaml new.yaml users.csv --json > diff.json
                  the same for programs

            EXIT STATUS:
              0  no record changes
              1  some record changes its verdict, its rules or its repaired cells
              2  could not start: usage, rules, input
              3  failed while running
            """
    )

    @Argument(
        help: ArgumentHelp("The rules as they were.", valueName: "old"),
        completion: .ruleFile)
    var old: String

    @Argument(
        help: ArgumentHelp("The new rules.", valueName: "new"),
        completion: .ruleFile)
    var new: String

    @Argument(
        help: ArgumentHelp("The files to read; - is standard input.", valueName: "file"), completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var selection: SelectionOptions
    @OptionGroup(title: "Input") var sample: SampleOptions
    @OptionGroup(title: "Rules") var evaluation: EvaluationOptions
    @OptionGroup(title: "Rules") var time: TimeOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Outputs") var outputs: DiffOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var memory: MemoryOptions
    @OptionGroup(title: "Running") var running: RunOptions
    @OptionGroup(title: "Running") var engines: EngineOptions

    struct DiffOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The number of records of each kind to show. Default: \(Self.usualFirst).", valueName: "n"))
        var first: Int?

        @Flag(help: "Show the values of the records, which are hidden by default.")
        var showValues = false

        @Flag(help: "Write JSON to standard output.")
        var json = false

        static let usualFirst = 10

        func validate() throws {
            if let first, first < 0 {
                throw ArgumentParser.ValidationError("--first takes 0 or a positive number.")
            }
        }
    }

    func run(_ line: Invocation) throws {
        var line = line
        line.moveInputsIntoCommand(2)
        let options = JobOptions(
            line: line, inputs: inputs, dialect: dialect, input: input, limits: limits, trust: trust,
            selection: selection, evaluation: evaluation, time: time, memory: memory, run: running, engines: engines)
        try refuseMixedUpFiles()
        let (json, showValues) = (outputs.json, outputs.showValues)
        let inputs = try options.tables()
        if inputs.isPackage {
            throw InputError(
                "\(printable(self.inputs[0])) is a Data Package with its own rules",
                hint: "to compare rules over one of its files, give that file")
        }
        if json && inputs.tables.count > 1 {
            throw ArgumentParser.ValidationError("--json takes one input, or several with --as-one.")
        }
        let rules = (old: try options.baseRules(in: old), new: try options.baseRules(in: new))
        // Prepare all tables first, so that mistakes are reported before any table is read, unless the limit of open
        // files is too low.
        let files = inputs.tables.reduce(0) { $0 + $1.files.count }
        let pairs = 3 * files < freeOpenFiles ? try inputs.tables.map { try prepare($0, rules, options) } : []
        var isSame = true
        for (index, input) in inputs.tables.enumerated() {
            let diff = try compare(pairs.isEmpty ? prepare(input, rules, options) : pairs[index], options)
            isSame = isSame && diff.isEmpty
            let text =
                json
                ? diff.json(rules: (old, new), inputs: input.files, showValues: showValues)
                : (index > 0 ? "\n" : "")
                    + DiffText(Style(forStandardError: false), showValues: showValues).text(diff, input.files, old, new)
            try writeOutput(text)
        }
        if !isSame { throw Ending(status: .fellShort) }
    }

    /// Refuses files in the wrong order, before other errors are reported.
    private func refuseMixedUpFiles() throws {
        let order = "first the old rules, then the new ones, then the files"
        // A pipe can be read only once.
        for file in [old, new] where !isSpecialFile(file) && (try? readRules(file, limits: Limits())) == nil {
            try refuseTable(file, hint: order)
        }
        if input.format == nil, let file = inputs.first(where: isNamedLikeRules) {
            throw InputError("the input \(printable(file)) is named like a rule file", hint: order)
        }
    }

    /// A table as prepared by both rule files.
    private struct Pair {
        let name: String
        let files: [RereadFile]
        let old: PreparedTable
        let new: PreparedTable
    }

    private func prepare(_ input: InputTable, _ rules: (old: RuleFile, new: RuleFile), _ options: JobOptions) throws
        -> Pair
    {
        let files: [RereadFile]
        do {
            files = try input.files.map { try RereadFile($0, copiesTo: memory.tempDir) }
        } catch let error as FileError {
            throw InputError("\(error)")
        }
        let before = try prepared(input, files, rules.old, options)
        let now = try prepared(input, files, rules.new, options)
        let tables = try bothPrepared(input, before, now, options)
        try tables.old.expectSameRecords(tables.new, names: (old, new))
        return Pair(name: input.files[0], files: files, old: tables.old, new: tables.new)
    }

    private func compare(_ pair: Pair, _ options: JobOptions) throws -> RulesDiff {
        let bar = Progress(mode: running.progressMode, name: pair.name)
        defer { bar.finish() }
        let first = outputs.first ?? DiffOptions.usualFirst
        let diff =
            bar.isShown
            ? try RulesDiff.of(pair.old, pair.new, first: first) { bar.show($0) }
            : try RulesDiff.of(pair.old, pair.new, first: first)
        for file in pair.files { try file.expectUnchanged() }
        return diff
    }

    private func prepared(_ input: InputTable, _ files: [RereadFile], _ rules: RuleFile, _ options: JobOptions) throws
        -> Result<PreparedTable, InputError>
    {
        let rules = try options.ruleFile(rules, for: input.files[0])
        var settings = try options.cleanerOptions
        settings.format = input.format
        settings.keptFindings = 0
        settings.maxFindings = .max
        settings.showValues = outputs.showValues
        settings.sample = try sample.sample(
            of: input, copies: { try files.map { try $0.open() } }, rules: rules, options: settings,
            unpacks: options.input.unpacks)
        let cleaner = try Cleaner(rules: rules, options: settings)
        do {
            let table = try cleaner.prepare(asOne: files.map { try $0.open() })
            if table.format == .jsonLines { try options.refuseTableOptions(input.files[0]) }
            return .success(table)
        } catch let error as InputError {
            return .failure(error)
        }
    }

    /// Returns the table prepared by both rule files. If preparation fails with one rule file only, the error names
    /// that file.
    private func bothPrepared(
        _ input: InputTable, _ before: Result<PreparedTable, InputError>, _ now: Result<PreparedTable, InputError>,
        _ options: JobOptions
    ) throws -> (old: PreparedTable, new: PreparedTable) {
        let error: InputError
        switch (before, now) {
        case (.success(let before), .success(let now)): return (before, now)
        case (.failure(let problem), .failure(let other)):
            error = problem.message == other.message ? problem : problem.by(old)
        case (.failure(let problem), .success): error = problem.by(old)
        case (.success, .failure(let problem)): error = problem.by(new)
        }
        // Calls `forEachInput` with a body that throws, because it suggests commands that work.
        _ = try forEachInput([input.files[0]], of: options.line) { _ in throw error }
        throw error
    }
}

extension InputError {
    /// The same error, attributed to one of the two rule files.
    fileprivate func by(_ rules: String) -> InputError {
        var error = self
        error.message = "by \(printable(rules)): \(message)"
        return error
    }
}
