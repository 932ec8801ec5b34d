import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct BenchCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the cost of each rule on your own file, on one thread and with each engine.")

    @Argument(help: "The file to measure.", completion: .file())
    var file: String

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Rules") var measured: MeasuredRules
    @OptionGroup(title: "Rules") var time: TimeOptions
    @OptionGroup(title: "Rules") var trust: TrustOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Running") var bench: BenchOptions

    struct MeasuredRules: ParsableArguments {
        @Option(
            name: .shortAndLong, help: ArgumentHelp("The rules: YAML or JSON.", valueName: "file"),
            completion: .ruleFile)
        var rules: String
    }

    struct BenchOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The part of the file to use, in MB. Default: \(Self.usualMegabytes).", valueName: "n"))
        var megabytes: Int?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The number of rounds; the best one counts. Default: \(Self.usualRounds).", valueName: "n"))
        var rounds: Int?

        static let usualMegabytes = 64
        static let usualRounds = 5

        func validate() throws {
            if let megabytes, !(1...4096).contains(megabytes) {
                throw ArgumentParser.ValidationError("--megabytes takes 1 to 4096.")
            }
            if let rounds, !(1...1000).contains(rounds) {
                throw ArgumentParser.ValidationError("--rounds takes 1 to 1000.")
            }
        }
    }

    func run(_ line: Invocation) throws {
        let options = JobOptions(
            line: line, inputs: [file], dialect: dialect, input: input, limits: limits, trust: trust, time: time)
        let source = try openInput(file)
        let base = try options.baseRules(in: measured.rules)
        let rules = try options.ruleFile(base, for: file)
        let results = try forEachInput([file], of: line) { _ in
            let sample = try BenchSample(
                source, rules: rules, format: options.inputFormat, formatIsImplied: options.formatIsImplied,
                unpacks: input.unpacks, maxBytes: (bench.megabytes ?? BenchOptions.usualMegabytes) * 1_000_000)
            if sample.format == .jsonLines { try options.refuseTableOptions(file) }
            return try RuleBench(
                sample, rules: rules, rounds: bench.rounds ?? BenchOptions.usualRounds,
                now: options.cleanerOptions.now ?? options.start)
        }
        try writeOutput(table(results[0], Style(forStandardError: false), rules))
    }

    private func table(_ bench: RuleBench, _ style: Style, _ rules: RuleFile) -> String {
        let names = bench.rows.map { printable($0.id) } + bench.repairs.map { "repairs of \(printable($0.column))" }
        let width = max(32, 2 + (names.map(\.count).max() ?? 0))
        let rate = bench.roundNanoseconds > 0 ? Double(bench.bytes) / bench.roundNanoseconds * 1e9 : 0
        var lines = [
            style.bold(printable(file))
                + "  \(byteAmount(bench.bytes)), \(plural(bench.records, "record")), the best of "
                + "\(plural(bench.rounds, "round")), "
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
                    ? "" : "\nOne pattern is correct only with JIT, so the interpreter was not measured."))
        lines.append("These figures do not include reading and writing files.")
        let sorted = rules.schema.fields.filter { $0.sorted != nil }.map(\.sortedID)
        let keys = rules.schema.keys.map(\.id) + rules.schema.foreignKeys.map(\.id) + sorted
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
