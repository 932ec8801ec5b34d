import ArgumentParser
import AssayFiles
import AssayRules

/// `clean` and `check`: their common options, and the options of one of them.
///
/// The common options are properties of the command, and the others are in a group, because a debug build makes the
/// definition of a property 10 times and the definition of an option in a group 34 times.
struct FileCommand<Own: FileOptions>: ParsableCommand {
    static var configuration: CommandConfiguration { Own.configuration.below("assay") }

    @Argument(
        help: ArgumentHelp("The files to read; - is standard input.", valueName: "file"),
        completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The rules: YAML or JSON.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var rules: String?

    @Option(
        help: ArgumentHelp(
            "One ASCII character, two, tab or space. Default: tab for .tsv, else what the first records show.",
            valueName: "character"))
    var delimiter: String?

    @Option(help: ArgumentHelp("One ASCII character, or none. Default: \".", valueName: "character"))
    var quote: String?

    @Flag(name: .customLong("no-header"), help: "The first record is data; rules go by position.")
    var noHeader = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Lines above the table; they go to both outputs.", valueName: "n"))
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

    @Flag(name: .customLong("as-one"), help: "The files are one table: same header, one set of outputs.")
    var asOne = false

    @Option(
        name: .customLong("resource"), parsing: .singleValue,
        help: ArgumentHelp("Of a Data Package only this table; may be repeated.", valueName: "name"))
    var resources: [String] = []

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
        name: .customLong("max-reject-rate"), parsing: .unconditional,
        help: ArgumentHelp(
            "Exit with 1 only if more than this share of the records is rejected, such as 0.5%.", valueName: "p%"))
    var maxRejectRate: String?

    @Option(
        name: .customLong("stop-after"), parsing: .unconditional,
        help: ArgumentHelp(
            "End with 1, and publish nothing, once so many records are rejected. What keys refuse counts, but for keys that are decided about at the end: with 'keep: none', and of a table that refers to itself.",
            valueName: "n"))
    var stopAfter: Int?

    @Option(
        name: .customLong("max-findings"), parsing: .unconditional,
        help: ArgumentHelp(
            "Write at most this many findings; all are counted. Default: \(InputOptions.usualFindings).", valueName: "n"
        ))
    var maxFindings: Int?

    @Flag(
        name: .customLong("show-values"), help: "Show the values of failing cells. By default no value is shown.")
    var showValues = false

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

    @Flag(name: .shortAndLong, help: "Print only errors, and a warning if an input changed while it was read.")
    var quiet = false

    @OptionGroup var judging: JudgingOptions

    @OptionGroup var engines: EngineOptions

    @OptionGroup var own: Own

    func validate() throws { try input.validate() }

    func run() throws { try own.run(JobOptions(input: input, judging: judging, engines: engines)) }

    private var input: InputOptions {
        InputOptions(
            inputs: inputs, rules: rules, delimiter: delimiter, quote: quote, noHeader: noHeader, skip: skip,
            escape: escape, comment: comment, skipInitialSpace: skipInitialSpace, trailingDelimiter: trailingDelimiter,
            blankLinesWord: blankLinesWord, lineTerminatorWord: lineTerminatorWord, asOne: asOne, resources: resources,
            formatWord: formatWord,
            encoding: encoding, trustEncoding: trustEncoding, compressionWord: compressionWord, threads: threads,
            head: head,
            maxRejectRate: maxRejectRate, stopAfter: stopAfter, maxFindings: maxFindings, showValues: showValues,
            trustRules: trustRules, limits: limits, progressWord: progressWord, quiet: quiet)
    }
}

/// The options of `clean` or `check` that the other one does not have.
protocol FileOptions: ParsableArguments {
    static var configuration: CommandConfiguration { get }

    /// Runs the command.
    func run(_ given: JobOptions) throws
}

typealias CleanCommand = FileCommand<CleanOptions>
typealias CheckCommand = FileCommand<CheckOptions>
