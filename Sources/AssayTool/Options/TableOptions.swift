import ArgumentParser
import AssayFiles
import AssayRules

/// The common options of `profile`, `infer` and `diff`: which tables to read, and how.
struct TableOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The files to read; - is standard input, but for infer.", valueName: "file"),
        completion: .file())
    var inputs: [String]

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

    @Flag(name: .customLong("as-one"), help: "The files are one table, with the same header.")
    var asOne = false

    @Option(
        name: .customLong("format"),
        help: "csv, or jsonl for an object of JSON on each line. Default: what the name and the first bytes show.",
        completion: FormatOption.completion, transform: FormatOption.checked)
    var formatWord: String?

    @Option(
        help: ArgumentHelp(
            "Such as windows-1252; auto guesses. Default: UTF-8, unless the bytes show UTF-16 or UTF-32.",
            valueName: "name"))
    var encoding: String?

    @Flag(
        name: .customLong("trust-encoding"),
        help: "Read the file in the encoding that was named, even if it seems to be UTF-8.")
    var trustEncoding = false

    @Option(
        name: .customLong("compression"),
        help: "auto unpacks gzip and Zstandard, whatever the file is called; none reads the bytes as they are.",
        completion: UnpackingMode.completion, transform: UnpackingMode.checked)
    var compressionWord: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of worker threads. Default: one per processor.", valueName: "n"))
    var threads: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Read only the first records.", valueName: "n"))
    var head: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Look only at a random sample: a share such as 1%, or so many records, such as 10000.", valueName: "amount")
    )
    var sample: String?

    @Option(
        name: .customLong("seed"), parsing: .unconditional,
        help: ArgumentHelp("Which sample it is: the same seed takes the same records. Default: 0.", valueName: "n"),
        transform: SampleOptions.checkedSeed)
    var seedText: String?

    @Flag(
        name: .customLong("trust-rules"),
        help: "Let rule files name any files, and raise the limits on the work for a value as they like.")
    var trustRules = false

    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("\(LimitSettings.help)", valueName: "name=value"))
    var limits: [String] = []

    @Option(
        name: .customLong("progress"),
        help: ArgumentHelp("Progress bar on standard error: auto (on a terminal), always or never.", valueName: "when"),
        completion: ProgressMode.completion, transform: ProgressMode.checked)
    var progressWord: String?

    @Flag(
        name: .shortAndLong, help: "No progress bar, and no notes but a warning if an input changed while it was read.")
    var quiet = false

    /// The options as options of `check`, which reads its inputs the same way.
    func jobOptions() throws -> JobOptions {
        var input = InputOptions(inputs: inputs)
        input.delimiter = delimiter
        input.quote = quote
        input.noHeader = noHeader
        input.skip = skip
        input.escape = escape
        input.comment = comment
        input.skipInitialSpace = skipInitialSpace
        input.trailingDelimiter = trailingDelimiter
        input.blankLinesWord = blankLinesWord
        input.lineTerminatorWord = lineTerminatorWord
        input.asOne = asOne
        input.formatWord = formatWord
        input.encoding = encoding
        input.trustEncoding = trustEncoding
        input.compressionWord = compressionWord
        input.threads = threads
        input.head = head
        input.limits = limits
        input.trustRules = trustRules
        input.progressWord = progressWord
        input.quiet = quiet
        try input.validate()
        _ = try SampleOptions(sample, seed: seedText)
        return JobOptions(input: input)
    }

    /// The given command.
    func invocation(_ command: String, _ options: JobOptions, _ own: [Invocation.Option?]) -> Invocation {
        options.invocation(
            command, [.option("--sample", sample), .option("--seed", seedText)] + own)
    }

    /// Opens the files of a table.
    static func open(_ table: InputTable) throws -> [FileSource] {
        try table.files.map { try openInput($0, by: table.policy) }
    }
}
