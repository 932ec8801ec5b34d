import Assay
import AssayFiles
import AssayRules

/// The options of a command that reads tables: inputs, rules and settings.
///
/// Option groups must be siblings and not nested, because in a debug build the parser validates a group four times for
/// each enclosing group, which was most of the startup time.
struct JobOptions {
    var input: InputOptions
    var judging = JudgingOptions.unset
    var engines = EngineOptions.unset
}

extension JobOptions {
    /// Refuses options for tables of fields if the input is JSON Lines.
    func refuseTableOptions(_ path: String) throws(InputError) {
        let given = input.tableOptions + [("--extra-fields", judging.extraFieldsWord != nil)]
        guard let option = given.first(where: { $0.1 })?.0 else { return }
        throw InputError(
            "\(option) is for CSV, and \(printable(path)) is JSON Lines",
            hint: "leave it out, or, if this is CSV, add --format csv")
    }

    /// The rules of ``InputOptions/baseRules()`` with the dialect of the command line, which has precedence, for one
    /// input.
    func ruleFile(_ base: RuleFile, for path: String) throws -> RuleFile {
        var file = base
        try input.apply(to: &file.dialect, for: path)
        judging.apply(to: &file)
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

    var cleanerOptions: CleanerOptions {
        var options = CleanerOptions()
        options.threads = input.threads
        options.head = input.head
        options.unpacks = input.unpacks
        options.format = input.inputFormat
        options.formatIsImplied = input.formatIsImplied
        options.stopAfter = input.stopAfter
        options.maxFindings = input.maxFindings ?? InputOptions.usualFindings
        options.showValues = input.showValues
        options.engine = engines.engine
        options.memory = (try? judging.memoryBytes()) ?? nil
        options.temporaryDirectory = judging.temporaryDirectory
        return options
    }

    /// A command line with these options and those of the command itself.
    func invocation(_ command: String, _ own: [Invocation.Option?] = []) -> Invocation {
        let options: [Invocation.Option?] =
            [
                .option("--rules", input.rules), .option("--delimiter", input.delimiter),
                .option("--quote", input.quote),
                .flag("--no-header", input.noHeader), .option("--skip", input.skip.map(String.init)),
                .option("--escape", input.escape), .option("--comment", input.comment),
                .flag("--skip-initial-space", input.skipInitialSpace),
                .flag("--trailing-delimiter", input.trailingDelimiter),
                .option("--blank-lines", input.blankLinesWord),
                .option("--line-terminator", input.lineTerminatorWord),
                .option("--extra-fields", judging.extraFieldsWord), .flag("--as-one", input.asOne),
                .option("--format", input.formatWord), .option("--encoding", input.encoding),
                .flag("--trust-encoding", input.trustEncoding),
                .option("--compression", input.unpacks ? nil : input.compressionWord),
                .option("--threads", input.threads.map(String.init)),
                .option("--head", input.head.map(String.init)), .option("--max-reject-rate", input.maxRejectRate),
                .option("--stop-after", input.stopAfter.map(String.init)),
                .option("--max-findings", input.maxFindings.map(String.init)),
                .flag("--show-values", input.showValues), .flag("--no-repair", judging.noRepair),
                .flag("--no-dfa", engines.noDFA), .flag("--no-jit", engines.noJIT),
                .option("--memory", judging.memory), .option("--temp-dir", judging.temporaryDirectory),
                .flag("--trust-rules", input.trustRules),
            ] + input.limits.map { .option("--limit", $0) } + input.resources.map { .option("--resource", $0) } + [
                .option("--progress", input.progressWord == ProgressMode.auto.rawValue ? nil : input.progressWord),
                .flag("--quiet", input.quiet),
            ]
        return Invocation(command, input.inputs, options + own)
    }
}
