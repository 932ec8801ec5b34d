import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct ProfileCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show types, missing and distinct values, shapes and ranges of the columns of a file.",
        discussion: """
            EXAMPLES:
              assay profile users.csv
                  an overview of every column
              assay profile users.csv --html > users.profile.html
                  a page to look at
              assay profile users.csv --json > users.profile.json
                  the same and more for programs
              assay infer users.csv > users.rules.yaml
                  write rules that fit the file

            Values of text columns are hidden unless you add --show-values.
            """
    )

    @Argument(
        help: ArgumentHelp("The files to read; - is standard input.", valueName: "file"), completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var selection: SelectionOptions
    @OptionGroup(title: "Input") var sample: SampleOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Outputs") var outputs: ProfileOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Running") var running: RunOptions

    struct ProfileOptions: ParsableArguments {
        @Flag(help: "Write JSON to standard output.")
        var json = false

        @Flag(help: "Write a page in HTML to standard output.")
        var html = false

        @Flag(help: "Show the most frequent values. Without it no text is shown.")
        var showValues = false
    }

    func run(_ line: Invocation) throws {
        let options = JobOptions(
            line: line, inputs: inputs, dialect: dialect, input: input, limits: limits, trust: trust,
            selection: selection, run: running)
        let inputs = try options.tables()
        let base = try options.baseRules()
        let (json, html, showValues) = (outputs.json, outputs.html, outputs.showValues)
        if json && html { throw ArgumentParser.ValidationError("Give --json or --html, not both.") }
        if json || html, inputs.tables.count > 1 {
            throw ArgumentParser.ValidationError(
                "\(json ? "--json" : "--html") takes one input, or several with --as-one.")
        }
        if !running.quiet { writeError(inputs.notes) }
        let prepared = try forEachInput(inputs.names, of: line, suggestsCommands: !inputs.isPackage) { index in
            try prepare(inputs.tables[index], base: base, options, isPackage: inputs.isPackage)
        }
        for (index, (profiler, table)) in prepared.enumerated() {
            if !running.quiet && !inputs.isPackage {
                warn(of: table.doubt, input: inputs.names[index], in: line)
            }
            let bar = Progress(mode: running.progressMode, name: inputs.names[index])
            defer { bar.finish() }
            let profile =
                bar.isShown ? try profiler.run(table) { bar.show($0) } : try profiler.run(table)
            bar.finish()
            let text =
                json
                ? profile.json(showValues: showValues)
                : html
                    ? profile.html(showValues: showValues)
                    : (index > 0 ? "\n" : "")
                        + ProfileText(
                            Style(forStandardError: false), showValues: showValues, isPackage: inputs.isPackage
                        ).text(profile)
            try writeOutput(text)
            if table.hasChanged { writeError(Summary.changeWarning(inputs.tables[index].files)) }
        }
    }

    private func prepare(_ input: InputTable, base: RuleFile, _ options: JobOptions, isPackage: Bool) throws
        -> (Profiler, PreparedProfile)
    {
        let rules = try input.rules ?? options.ruleFile(base, for: input.files[0])
        var settings = try options.cleanerOptions
        settings.format = input.format
        settings.sample = try sample.sample(
            of: input, rules: rules, options: settings, unpacks: options.input.unpacks)
        let profiler = try Profiler(rules: rules, options: settings)
        let prepared = try profiler.prepare(asOne: input.open())
        if prepared.format == .jsonLines && !isPackage { try options.refuseTableOptions(input.files[0]) }
        return (profiler, prepared)
    }
}
