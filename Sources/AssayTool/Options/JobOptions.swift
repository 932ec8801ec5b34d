import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// The options of a command that reads tables. Those that the command does not have are unset.
///
/// It has one property for each option group, because every group is missing from at least one command. That is why it
/// has more than twelve properties.
struct JobOptions {
    /// The given command, from which suggested commands are derived.
    let line: Invocation
    let inputs: [String]
    let dialect: DialectOptions
    let input: InputOptions
    let limits: LimitOptions
    var trust = TrustOptions.unset
    var selection = SelectionOptions.unset
    var rules = RuleOptions.unset
    var evaluation = EvaluationOptions.unset
    var time = TimeOptions.unset
    /// The time at which the command started, which is that of all its runs.
    let start = Timestamp.now()
    var findings = FindingOptions.unset
    var memory = MemoryOptions.unset
    var run = RunOptions.unset
    var engines = EngineOptions.unset
}

extension JobOptions {
    /// The rules as written, with the limits of the command line.
    func baseRules() throws -> RuleFile { try baseRules(in: rules.rules) }

    /// - Parameter path: The rule file; `nil` for no rules.
    func baseRules(in path: String?) throws -> RuleFile {
        let limits = try limits.limits(trustingRules: trust.trustRules)
        guard let path else { return RuleFile(limits: limits) }
        var file = try readRules(path, limits: limits)
        let note = self.limits.noteOnRaisedLimits(file, named: path)
        try self.limits.apply(to: &file.limits)
        if let note, !run.quiet { writeError(note) }
        return file
    }

    /// The rules of ``baseRules()`` with the dialect of the command line, which has precedence, for one input.
    func ruleFile(_ base: RuleFile, for path: String) throws -> RuleFile {
        var file = base
        try dialect.apply(to: &file.dialect)
        input.apply(to: &file.dialect)
        if file.dialect.delimiter == nil { file.dialect.delimiter = Dialect.delimiter(suggestedBy: path) }
        evaluation.apply(to: &file)
        do {
            try file.limits.check()
        } catch {
            throw InputError("\(error)")
        }
        if let conflict = file.dialect.conflict {
            let isQuote = file.dialect.separator == file.dialect.quoteChar
            throw InputError(
                conflict,
                hint: isQuote
                    ? "use --quote none, or name another --delimiter"
                    : "choose another one, or name another --delimiter")
        }
        return file
    }

    /// The options that apply only to CSV, not to JSON Lines.
    private static let ofFields = LineDecoder.names(of: DialectOptions.self)

    /// The options that the descriptor of a Data Package has for each table.
    static let ofTables = LineDecoder.names(of: DialectOptions.self)
        .union(["--extra-fields", "--as-one", "--encoding"])

    /// The format of the inputs; `nil` if it is detected by name and first bytes. Options for delimited text imply
    /// CSV, unless an input is named like JSON.
    var inputFormat: InputFormat? {
        if let format = input.format { return InputFormat(rawValue: format) }
        let isOfFields = line.firstOption(among: Self.ofFields) != nil
        return isOfFields && !inputs.contains { InputFormat(path: $0) == .jsonLines } ? .csv : nil
    }

    /// Whether ``inputFormat`` follows from options for delimited text.
    var formatIsImplied: Bool { input.format == nil && inputFormat != nil }

    /// Refuses options for delimited text if the input is JSON Lines.
    func refuseTableOptions(_ path: String) throws(InputError) {
        guard let option = line.firstOption(among: Self.ofFields.union(["--extra-fields"])) else { return }
        throw InputError(
            "\(option) is for CSV, and \(printable(path)) is JSON Lines",
            hint: "leave it out, or, if this is CSV, add --format csv")
    }

    /// Refuses an input that is named like a rule file, because `--rules` is probably missing.
    func refuseRuleFiles() throws {
        guard input.format == nil, let file = inputs.first(where: isNamedLikeRules) else { return }
        throw InputError(
            "the input \(printable(file)) is named like a rule file",
            hint: rules.rules.map {
                "the rules are \(printable($0)) already; to read it as a table: --format csv"
            } ?? "to use it as the rules: --rules \(shellPath(file)); to read it as a table: --format csv")
    }

    var cleanerOptions: CleanerOptions {
        get throws {
            var options = CleanerOptions()
            options.threads = run.threads
            options.head = selection.head
            options.unpacks = input.unpacks
            options.format = inputFormat
            options.formatIsImplied = formatIsImplied
            options.stopAfter = rules.stopAfter
            options.maxFindings = findings.maxFindings ?? FindingOptions.usualFindings
            options.showValues = findings.showValues
            options.engine = engines.engine
            options.now = try time.timestamp() ?? start
            options.memory = try memory.memoryBytes()
            options.temporaryDirectory = memory.tempDir
            return options
        }
    }
}
