import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// The inputs of a command, and how to read them. ``FileCommand`` has all of these options; other commands have some.
struct InputOptions {
    var inputs: [String]
    var rules: String?
    var delimiter: String?
    var quote: String?
    var noHeader = false
    var skip: Int?
    var escape: String?
    var comment: String?
    var skipInitialSpace = false
    var trailingDelimiter = false
    var blankLinesWord: String?
    var lineTerminatorWord: String?
    var asOne = false
    var resources: [String] = []
    var formatWord: String?
    var encoding: String?
    var trustEncoding = false
    var compressionWord: String?
    var threads: Int?
    var head: Int?
    var maxRejectRate: String?
    var stopAfter: Int?
    var maxFindings: Int?
    var showValues = false
    var trustRules = false
    var limits: [String] = []
    var progressWord: String?
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
                    "--delimiter takes one or two ASCII characters, tab or space, not '\(printable(delimiter))'.")
            }
        }
        _ = try asciiCharacter(escape, option: "--escape", words: ["none": ""])
        _ = try asciiCharacter(comment, option: "--comment", words: ["none": ""])
        _ = try asciiCharacter(quote, option: "--quote", words: ["none": ""])
    }

    /// Applies the given options to the dialect of the rules, for one input.
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
        if skipInitialSpace { dialect.skipInitialSpace = true }
        if let lines = blankLinesWord.flatMap({ Dialect.BlankLines(rawValue: $0) }) {
            dialect.blankLines = lines
            dialect.rejectsLastBlankLines = lines == .reject
        }
        if trailingDelimiter { dialect.trailingDelimiter = true }
        if let word = lineTerminatorWord { dialect.lineTerminator = Dialect.LineTerminator(rawValue: word) }
        if let skip { dialect.skip = skip }
        if let encoding { dialect.encoding = encoding }
        if trustEncoding { dialect.trustEncoding = true }
    }

    /// Refuses an input that is named like a rule file, because `--rules` is probably missing.
    func refuseRuleFiles() throws {
        guard formatWord == nil, let file = inputs.first(where: isNamedLikeRules) else { return }
        throw InputError(
            "the input \(printable(file)) is named like a rule file",
            hint: rules == nil
                ? "to use it as the rules: --rules \(shellPath(file)); to read it as a table: --format csv"
                : "the rules are \(printable(rules!)) already; to read it as a table: --format csv")
    }

    /// The rules as written, with the limits of the command line.
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

    /// The format of the inputs; `nil` if it is detected by name and first bytes. Options for tables of fields imply
    /// CSV, unless an input is named like JSON.
    var inputFormat: InputFormat? {
        if let formatWord { return InputFormat(rawValue: formatWord) }
        let hasTableOptions = skip != nil || tableOptions.contains { $0.isGiven }
        return hasTableOptions && !inputs.contains { InputFormat(path: $0) == .jsonLines } ? .csv : nil
    }

    /// Whether ``inputFormat`` follows from options for tables of fields.
    var formatIsImplied: Bool { formatWord == nil && inputFormat != nil }

    /// The options that apply only to tables of fields, and whether each was given.
    var tableOptions: [(name: String, isGiven: Bool)] {
        [
            ("--delimiter", delimiter != nil), ("--quote", quote != nil), ("--no-header", noHeader),
            ("--escape", escape != nil), ("--comment", comment != nil), ("--skip-initial-space", skipInitialSpace),
            ("--trailing-delimiter", trailingDelimiter), ("--blank-lines", blankLinesWord != nil),
            ("--line-terminator", lineTerminatorWord != nil),
        ]
    }

    /// Whether to decompress compressed inputs.
    var unpacks: Bool { compressionWord != UnpackingMode.none.rawValue }

    /// When to show the progress bar.
    var progress: ProgressMode { quiet ? .never : progressWord.flatMap(ProgressMode.init) ?? .auto }

    static let usualFindings = 1_000_000

    /// The maximum share of rejected records for status 0, in percent.
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

enum FormatOption: String, OptionWord {
    case csv, jsonl
}

extension Dialect.BlankLines: OptionWord {}

extension Dialect.LineTerminator: OptionWord {}

enum UnpackingMode: String, OptionWord {
    case auto, none
}

enum ProgressMode: String, OptionWord {
    case auto, always, never
}

/// Returns whether an input is named like a rule file. JSON is excluded, because JSON files may be tables.
func isNamedLikeRules(_ path: String) -> Bool { [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) } }

/// Refuses a file that is named like a table if rules are expected, because a YAML syntax error would print its first
/// line, which contains cells.
func refuseTable(_ path: String, hint: String) throws(InputError) {
    let (_, ending) = splitEnding(splitPath(Compression.unpackedName(path)).base)
    guard [".csv", ".tsv", ".jsonl", ".ndjson"].contains(ending.lowercased()) else { return }
    throw InputError("\(printable(path)) is named like a table, not like rules", hint: hint)
}

/// Opens a rule file. Refuses `-`, because rules and data would share standard input.
func openRules(_ path: String) throws -> FileSource {
    if path == CleanJob.standard {
        throw InputError("rules cannot be read from standard input", hint: "name a file")
    }
    return try openInput(path)
}

/// Reads a rule file. A file that is named like a table may contain rules. If it does not, the message omits the
/// mistakes, because they would show cells.
func readRules(_ path: String, limits: Limits) throws -> RuleFile {
    try readingRules(path) { try .read($0, limits: limits) }
}

/// Opens a rule file and reads it with `read`.
func readingRules<Result>(_ path: String, _ read: (FileSource) throws -> Result) throws -> Result {
    let source = try openRules(path)
    do {
        return try read(source)
    } catch let error as FileError {
        throw InputError("\(error)")
    } catch {
        try refuseTable(
            path,
            hint: "rules are a file of YAML or JSON; to judge the table: assay check \(shellPath(path)) --rules FILE")
        throw error
    }
}
