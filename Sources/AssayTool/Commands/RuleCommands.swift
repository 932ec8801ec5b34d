import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a skeleton of rules for the columns of a file, ready to be edited.",
        discussion: """
            EXAMPLE:
              assay init users.csv > users.rules.yaml
            """)

    @Argument(help: "The file whose header names the columns; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "One ASCII character, two, tab or space. Default: tab for .tsv, else what the first records show.",
            valueName: "character"))
    var delimiter: String?

    @Option(help: ArgumentHelp("One ASCII character, or none. Default: \".", valueName: "character"))
    var quote: String?

    @Flag(name: .customLong("no-header"), help: "The first record is data.")
    var noHeader = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Lines above the table.", valueName: "n"))
    var skip: Int?

    @Option(
        help: ArgumentHelp(
            "The character that makes the next one data, such as MySQL's backslash.", valueName: "character"))
    var escape: String?

    @Option(help: ArgumentHelp("Lines that begin with it are no records.", valueName: "character"))
    var comment: String?

    @Flag(
        name: .customLong("skip-initial-space"),
        help: "Spaces and tabs before a field, and after a closing quote, are not part of it.")
    var skipInitialSpace = false

    @Flag(
        name: .customLong("trailing-delimiter"),
        help: "A record or the header may end with a delimiter: one more field, which is empty.")
    var trailingDelimiter = false

    @Option(
        name: .customLong("blank-lines"),
        help:
            "reject, keep them in place like comments, or skip them. Default: reject, but keep those after the last record.",
        completion: Dialect.BlankLines.completion, transform: Dialect.BlankLines.checked)
    var blankLinesWord: String?

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

    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("\(LimitSettings.help)", valueName: "name=value"))
    var limits: [String] = []

    func run() throws {
        var input = InputOptions(inputs: [file])
        input.delimiter = delimiter
        input.quote = quote
        input.noHeader = noHeader
        input.escape = escape
        input.comment = comment
        input.skipInitialSpace = skipInitialSpace
        input.trailingDelimiter = trailingDelimiter
        input.blankLinesWord = blankLinesWord
        input.lineTerminatorWord = lineTerminatorWord
        input.limits = limits
        input.formatWord = formatWord
        input.skip = skip
        input.encoding = encoding
        input.trustEncoding = trustEncoding
        try input.validate()
        let options = JobOptions(input: input)
        let base = try input.baseRules()
        let rules = try options.ruleFile(base, for: file)
        let source = try openInput(file)
        if source.isStandardOutput {
            throw InputError(
                "standard output is the input \(printable(file))",
                hint: "redirect the rules elsewhere: > users.rules.yaml")
        }
        let invocation = options.invocation("init")
        let head = try forEachInput([file], of: invocation) { _ in
            let opened = try OpenedInput(
                source, encoding: encoding, trustsEncoding: trustEncoding, hasHeader: rules.dialect.header, threads: 1)
            return try TableHead(
                opened.source, dialect: rules.dialect, limits: rules.limits, format: input.inputFormat,
                formatIsImplied: input.formatIsImplied,
                encoding: opened.encoding,
                emptyHint: "a skeleton needs the names of the columns: give init a file that has them in its first line"
            )
        }
        var dialect = head[0].format == .csv ? head[0].dialect : Dialect()
        // Omit the default delimiter.
        if rules.dialect.delimiter == nil && !head[0].choseDelimiter { dialect.delimiter = nil }
        try writeOutput(head[0].skeleton(dialect: dialect, limits: rules.limits))
    }
}

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Work with rule files.", subcommands: [Check.self, Lint.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check rule files and show every mistake with its place.")

        @Argument(help: "The rule files: YAML or JSON.", completion: .file(extensions: ["yaml", "yml", "json"]))
        var files: [String]

        @Option(
            name: .customLong("limit"), parsing: .singleValue,
            help: ArgumentHelp("\(LimitSettings.help)", valueName: "name=value"))
        var limits: [String] = []

        @Flag(
            name: .customLong("trust-rules"),
            help: "Let them name any files, and raise the limits on the work for a value as they like.")
        var trustRules = false

        @Flag(name: .shortAndLong, help: "Print only errors.")
        var quiet = false

        func run() throws {
            let limits = try LimitSettings(settings: self.limits, trustsRules: trustRules).limits()
            var isGood = true
            for file in files {
                do {
                    let rules = try readRules(file, limits: limits)
                    if !quiet {
                        let count = try CompiledSchema(rules.schema, maxPatternBytes: rules.limits.patternBytes)
                            .ruleCount
                        try writeOutput(
                            "\(printable(file)): good, \(plural(rules.schema.fields.count, "field")) and \(plural(count, "rule"))\n"
                        )
                        noteUnusableFiles(rules, named: file)
                    }
                } catch let error as RuleFileError {
                    complain(error)
                    isGood = false
                } catch let error as InputError {
                    complain(error)
                    isGood = false
                }
            }
            if !isGood { throw Ending(status: .couldNotStart) }
        }

        /// Reports the files of foreign keys that do not exist yet, or that a run would not open.
        private func noteUnusableFiles(_ rules: RuleFile, named name: String) {
            for (key, path, refusal) in rules.unusableReferences {
                let text =
                    refusal.map { InputError($0, path, of: key).inOptions }
                    ?? "'\(key.id)' refers to \(printable(path)), which is not there"
                writeError("assay: \(printable(name)): \(text)\n")
            }
        }
    }
}
