import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show what is in the columns of a file: types, missing and different values, shapes, ranges.",
        discussion: """
            EXAMPLES:
              assay profile users.csv
                  an overview of every column
              assay profile users.csv --html > users.profile.html
                  a page to look at
              assay profile users.csv --json > users.profile.json
                  the same and more for programs
              assay infer users.csv > users.rules.yaml
                  rules that fit what is there

            No value of a text column is shown unless you ask with --show-values.
            """
    ).below("assay")

    @OptionGroup var table: TableOptions

    @Flag(name: .customLong("show-values"), help: "Show the most frequent values. By default no text is shown.")
    var showValues = false

    @Flag(help: "Write JSON to standard output.")
    var json = false

    @Flag(help: "Write a page in HTML to standard output.")
    var html = false

    func run() throws {
        let options = try table.jobOptions()
        let inputs = try options.tables()
        let base = try options.input.baseRules()
        if json && html { throw ArgumentParser.ValidationError("Give --json or --html, not both.") }
        if json || html, inputs.tables.count > 1 {
            throw ArgumentParser.ValidationError(
                "\(json ? "--json" : "--html") takes one input, or several with --as-one.")
        }
        let invocation = table.invocation(
            "profile", options, [.flag("--show-values", showValues), .flag("--json", json), .flag("--html", html)])
        if !options.input.quiet { writeError(inputs.notes) }
        let prepared = try forEachInput(inputs.names, of: invocation, suggestsCommands: !inputs.isPackage) { index in
            try prepare(inputs.tables[index], base: base, options, isPackage: inputs.isPackage)
        }
        for (index, (profiler, table)) in prepared.enumerated() {
            if !options.input.quiet && !inputs.isPackage {
                warn(of: table.doubt, input: inputs.names[index], in: invocation)
            }
            let bar = Progress(mode: options.input.progress, name: inputs.names[index])
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
        var settings = options.cleanerOptions
        settings.format = input.format
        settings.sample = try SampleOptions(table.sample, seed: table.seedText)?.sample(
            of: input, rules: rules, options: settings, unpacks: options.input.unpacks)
        let profiler = try Profiler(rules: rules, options: settings)
        let prepared = try profiler.prepare(asOne: TableOptions.open(input))
        if prepared.format == .jsonLines && !isPackage { try options.refuseTableOptions(input.files[0]) }
        return (profiler, prepared)
    }
}
