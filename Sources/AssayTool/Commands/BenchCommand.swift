import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure what each rule costs on your own file, on one thread and with each engine.")

    @Argument(help: "The file whose values are judged.", completion: .file())
    var file: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The rules: YAML or JSON.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var rules: String

    @Option(parsing: .unconditional, help: ArgumentHelp("How much of the file to use, in MB.", valueName: "n"))
    var megabytes: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How often to judge it; the best round counts.", valueName: "n"))
    var rounds = Self.usualRounds

    @Option(help: ArgumentHelp("One ASCII character, or tab.", valueName: "character"))
    var delimiter: String?

    @Option(help: ArgumentHelp("One ASCII character, or none.", valueName: "character"))
    var quote: String?

    @Flag(name: .customLong("no-header"), help: "The first record is data.")
    var noHeader = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Lines above the table.", valueName: "n"))
    var skip: Int?

    @Option(
        name: .customLong("line-terminator"),
        help:
            "lf: LF and CR LF end records, and a bare CR is data; cr: a bare CR ends them, too. Default: what the first line ends with.",
        completion: Dialect.LineTerminator.completion, transform: Dialect.LineTerminator.checked)
    var lineTerminatorWord: String?

    @Option(help: ArgumentHelp("Such as windows-1252; auto guesses.", valueName: "name"))
    var encoding: String?

    @Flag(
        name: .customLong("trust-encoding"),
        help: "Read the file in the encoding that was named, even if it seems to be UTF-8.")
    var trustEncoding = false

    @Option(
        name: .customLong("format"), help: "csv or jsonl. Default: what the name and the first bytes show.",
        completion: FormatOption.completion, transform: FormatOption.checked)
    var formatWord: String?

    @Flag(
        name: .customLong("trust-rules"),
        help: "Let rule files name any files, and raise the limits on the work for a value as they like.")
    var trustRules = false

    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("\(LimitSettings.help)", valueName: "name=value"))
    var limits: [String] = []

    func validate() throws {
        if let megabytes, !(1...4096).contains(megabytes) {
            throw ArgumentParser.ValidationError("--megabytes takes 1 to 4096.")
        }
        if !(1...1000).contains(rounds) { throw ArgumentParser.ValidationError("--rounds takes 1 to 1000.") }
    }

    func run() throws {
        var input = InputOptions(inputs: [file])
        input.rules = self.rules
        input.delimiter = delimiter
        input.quote = quote
        input.noHeader = noHeader
        input.skip = skip
        input.lineTerminatorWord = lineTerminatorWord
        input.encoding = encoding
        input.trustEncoding = trustEncoding
        input.formatWord = formatWord
        input.limits = limits
        input.trustRules = trustRules
        let options = JobOptions(input: input)
        try input.validate()
        let source = try openInput(file)
        let base = try input.baseRules()
        let rules = try options.ruleFile(base, for: file)
        let invocation = options.invocation(
            "bench",
            [
                .option("--megabytes", megabytes.map(String.init)),
                .option("--rounds", rounds == Self.usualRounds ? nil : String(rounds)),
            ])
        let bench = try forEachInput([file], of: invocation) { _ in
            try RuleBench(
                source, rules: rules, format: input.inputFormat, formatIsImplied: input.formatIsImplied,
                mostBytes: (megabytes ?? Self.usualMegabytes) * 1_000_000, rounds: rounds)
        }
        try writeOutput(table(bench[0], Style(forStandardError: false), rules))
    }

    private static let usualMegabytes = 64
    private static let usualRounds = 5

    private func table(_ bench: RuleBench, _ style: Style, _ rules: RuleFile) -> String {
        let names = bench.rows.map { printable($0.id) } + bench.repairs.map { "repairs of \(printable($0.column))" }
        let width = max(32, 2 + (names.map(\.count).max() ?? 0))
        let rate = bench.roundNanoseconds > 0 ? Double(bench.bytes) / bench.roundNanoseconds * 1e9 : 0
        var lines = [
            style.bold(printable(file))
                + "  \(byteAmount(bench.bytes)), \(plural(bench.records, "record")), the best of \(plural(bench.rounds, "round")), "
                + "one thread, once records are found: \(byteAmount(Int(rate)))/s",
            "",
            style.bold(
                "  " + padded("rule", width) + padded("values", 12, right: true) + padded("failed", 12, right: true)
                    + padded("undecided", 11, right: true) + padded("ns/value", 11, right: true)
                    + padded("JIT", 9, right: true)
                    + padded("interpreter", 13, right: true) + padded("share", 8, right: true) + "  runs on"),
        ]
        for row in bench.rows.sorted(by: { $0.share > $1.share }) {
            let engine =
                switch row.engine {
                case .dfa: row.plans.joined(separator: ", and ")
                case .jit: "JIT"
                case .interpreter: "interpreter"
                case nil: "C core"
                }
            lines.append(
                "  " + padded(printable(row.id), width) + padded(grouped(row.values), 12, right: true)
                    + padded(grouped(row.failed), 12, right: true) + padded(grouped(row.undecided), 11, right: true)
                    + padded(row.values > 0 ? fixed(row.nanoseconds, 1) : "", 11, right: true)
                    + padded(row.nanosecondsByEngine[.jit].map { fixed($0, 1) } ?? "", 9, right: true)
                    + padded(row.nanosecondsByEngine[.interpreter].map { fixed($0, 1) } ?? "", 13, right: true)
                    + padded(share(row.share), 8, right: true) + "  " + engine)
        }
        for repairs in bench.repairs.sorted(by: { $0.share > $1.share }) {
            lines.append(
                "  " + padded("repairs of \(printable(repairs.column))", width)
                    + padded(grouped(repairs.values), 12, right: true) + padded("", 23)
                    + padded(fixed(repairs.nanoseconds, 1), 11, right: true) + padded("", 22)
                    + padded(share(repairs.share), 8, right: true))
        }
        lines.append(
            "  " + padded("UTF-8 and columns", width) + padded("", 68)
                + padded(share(bench.readingShare), 8, right: true))
        lines.append("")
        lines.append(
            "All engines gave every value the same verdict, except where a limit stopped one."
                + (bench.engines.contains(.interpreter)
                    ? "" : "\nOne pattern is right only with JIT, so nothing was measured without it."))
        lines.append("These figures do not include reading and writing files.")
        let keys = rules.schema.keys.map(\.id) + rules.schema.foreignKeys.map(\.id)
        if !keys.isEmpty {
            lines.append("Nor do they include keys (\(printable(keys.joined(separator: ", ")))).")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func share(_ part: Double) -> String { fixed(100 * part, 1) + " %" }
}

/// Opens an input. If that fails, the job cannot start.
func openInput(_ path: String, by policy: RuleFilePolicy = .anyFile) throws -> FileSource {
    do {
        return try .input(at: path, by: policy)
    } catch {
        throw InputError("\(error)")
    }
}
