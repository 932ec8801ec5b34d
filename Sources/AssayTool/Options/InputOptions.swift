import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// What `clean` and `check` have in common: what to read, and by which rules. ``JobOptions`` is made of it and other groups.
struct InputOptions: ParsableArguments {
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
            "One ASCII character, two, or tab. Default: tab for .tsv, else what the first records show.",
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
            "Write at most this many findings; all are counted. Default: \(Self.usualFindings).", valueName: "n"))
    var maxFindings: Int?

    @Flag(
        name: .customLong("show-values"), help: "Show the values of failing cells. By default no value is shown.")
    var showValues = false

    @Flag(
        name: .customLong("trust-rules"), help: "Let rule files raise the limits on the work for a value as they like.")
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

    func validate() throws {
        if let threads, !(1...1024).contains(threads) {
            throw ArgumentParser.ValidationError("--threads takes a number from 1 to 1024.")
        }
        if let head, head < 0 { throw ArgumentParser.ValidationError("--head takes 0 or a positive number.") }
        if let stopAfter, stopAfter < 1 {
            throw ArgumentParser.ValidationError("--stop-after takes a positive number.")
        }
        if let maxFindings, maxFindings < 0 {
            throw ArgumentParser.ValidationError("--max-findings takes 0 or a positive number.")
        }
        if inputs.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("Standard input (-) can be read only once.")
        }
        _ = try rejectRate()
        if let skip, !(0...100_000).contains(skip) {
            throw ArgumentParser.ValidationError("--skip takes a number from 0 to 100000.")
        }
        if let delimiter {
            var dialect = Dialect()
            if !dialect.setDelimiter(delimiter) {
                throw ArgumentParser.ValidationError(
                    "--delimiter takes one or two ASCII characters, or tab, not '\(printable(delimiter))'.")
            }
        }
        _ = try asciiCharacter(escape, option: "--escape", words: ["none": ""])
        _ = try asciiCharacter(comment, option: "--comment", words: ["none": ""])
        _ = try asciiCharacter(quote, option: "--quote", words: ["none": ""])
    }

    /// Sets the dialect of rules to the options that were given, for one input.
    func apply(to dialect: inout Dialect, for path: String) throws {
        if let delimiter {
            _ = dialect.setDelimiter(delimiter)
        } else if dialect.delimiter == nil {
            dialect.delimiter = Dialect.delimiter(suggestedBy: path)
        }
        let characters: [(String?, String, WritableKeyPath<Dialect, UInt8?>)] = [
            (quote, "--quote", \.quoteChar), (escape, "--escape", \.escapeChar), (comment, "--comment", \.commentChar),
        ]
        for (given, option, part) in characters {
            guard let given else { continue }
            dialect[keyPath: part] = try asciiCharacter(given, option: option, words: ["none": ""])
        }
        if noHeader { dialect.header = false }
        if let skip { dialect.skip = skip }
        if let encoding { dialect.encoding = encoding }
    }

    /// Refuses an input that is called like a rule file: somebody has left out `--rules`.
    func refuseRuleFiles() throws {
        guard let file = inputs.first(where: isNamedLikeRules) else { return }
        throw InputError(
            "the input \(printable(file)) is named like a rule file",
            hint: rules == nil
                ? "to use it as the rules: --rules \(shellPath(file))"
                : "the rules are \(printable(rules!)) already; if this is a table, rename it, such as to data.csv")
    }

    /// The rules as they are written, with the limits of the command line.
    func baseRules() throws -> RuleFile {
        let settings = LimitSettings(settings: self.limits, trustsRules: trustRules)
        let limits = try settings.limits()
        guard let rules else { return RuleFile(limits: limits) }
        var file = try readRules(rules, limits: limits)
        let note = settings.noteOnRaisedLimits(file, named: rules)
        try settings.apply(to: &file.limits)
        if let note, !quiet { writeError(note) }
        return file
    }

    /// How records stand in the inputs; `nil`: nobody has said.
    var inputFormat: InputFormat? { formatWord.flatMap { InputFormat(rawValue: $0) } }

    /// Whether packed inputs are unpacked.
    var unpacks: Bool { compressionWord != UnpackingMode.none.rawValue }

    /// When the progress bar is shown.
    var progress: ProgressMode { quiet ? .never : progressWord.flatMap(ProgressMode.init) ?? .auto }

    static let usualFindings = 1_000_000

    /// The share of rejected records, in a hundred, that is still good enough.
    func rejectRate() throws -> Double? {
        guard let text = maxRejectRate else { return nil }
        let number = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let rate = Double(number), (0...100).contains(rate) else {
            throw ArgumentParser.ValidationError("--max-reject-rate takes a percentage such as 0.5%, not '\(text)'.")
        }
        return rate
    }

    private func asciiCharacter(_ text: String?, option: String, words: [String: String]) throws -> UInt8? {
        guard let text else { return nil }
        if let word = words[text], word.isEmpty { return nil }
        let character = words[text] ?? text
        guard character.utf8.count == 1, let byte = character.utf8.first, byte < 0x80, byte != 10, byte != 13 else {
            throw ArgumentParser.ValidationError("\(option) takes one ASCII character, not '\(printable(text))'.")
        }
        return byte
    }
}

extension InputOptions {
    /// These inputs, with no option given, for a command with options of its own. Parsing a command line of the inputs alone would
    /// take as long as the start of the command.
    ///
    /// Every property must be set, because the parser ends the process if one is read that is not. ``JobOptions/invocation(_:_:)``
    /// reads all of them in every run. This is no initializer, because there `limits = []` would define an option again.
    static func reading(_ inputs: [String]) -> Self {
        var options = Self()
        options.inputs = inputs
        (options.rules, options.delimiter, options.quote) = (nil, nil, nil)
        (options.noHeader, options.skip, options.escape, options.comment) = (false, nil, nil, nil)
        (options.asOne, options.resources, options.formatWord) = (false, [], nil)
        (options.encoding, options.compressionWord) = (nil, nil)
        (options.threads, options.head, options.maxRejectRate) = (nil, nil, nil)
        (options.stopAfter, options.maxFindings, options.showValues) = (nil, nil, false)
        (options.trustRules, options.limits) = (false, [])
        (options.progressWord, options.quiet) = (nil, false)
        return options
    }
}

enum FormatOption: String, OptionWord {
    case csv, jsonl
}

enum UnpackingMode: String, OptionWord {
    case auto, none
}

enum ProgressMode: String, OptionWord {
    case auto, always, never
}

/// Whether an input is called like a rule file. Those in JSON may be tables.
func isNamedLikeRules(_ path: String) -> Bool { [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) } }

/// Refuses a table, by its name, where rules are expected: what is wrong with it as rules would be said with its first line, and
/// that is cells.
func refuseTable(_ path: String, hint: String) throws(InputError) {
    let (_, ending) = splitEnding(splitPath(Compression.unpackedName(path)).base)
    guard [".csv", ".tsv", ".jsonl", ".ndjson"].contains(ending.lowercased()) else { return }
    throw InputError("\(printable(path)) is named like a table, not like rules", hint: hint)
}

/// Opens a rule file; `-` is not one, since rules and data would share standard input.
func openRules(_ path: String) throws -> FileSource {
    if path == CleanJob.standard {
        throw InputError("rules cannot be read from standard input", hint: "name a file")
    }
    try refuseTable(
        path, hint: "rules are a file of YAML or JSON; to judge the table: assay check \(shellPath(path)) --rules FILE")
    return try openInput(path)
}

/// Reads a rule file.
func readRules(_ path: String, limits: Limits) throws -> RuleFile {
    let source = try openRules(path)
    do {
        return try .read(source, limits: limits)
    } catch let error as FileError {
        throw InputError("\(error)")
    }
}
