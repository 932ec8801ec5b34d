import ArgumentParser
import AssayFiles
import AssayRules

/// How a table of fields is written. All commands that read a table have these options.
struct DialectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "One ASCII character, two, tab or space. Default: tab for .tsv, else the one that the first records show.",
            valueName: "character"))
    var delimiter: String?

    @Option(help: ArgumentHelp("One ASCII character, or none. Default: \".", valueName: "character"))
    var quote: String?

    @Flag(help: "The first record is data: columns have no names.")
    var noHeader = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The number of lines above the table. Default: 0.", valueName: "n"))
    var skip: Int?

    @Option(
        help: ArgumentHelp(
            "The escape character, such as the backslash in MySQL exports. Default: none.",
            valueName: "character"))
    var escape: String?

    @Option(help: ArgumentHelp("Skip lines that start with this character. Default: none.", valueName: "character"))
    var comment: String?

    @Flag(help: "Ignore spaces and tabs before a field and after a closing quote.")
    var skipInitialSpace = false

    @Flag(help: "A record or the header may end with a delimiter: one more field, which is empty.")
    var trailingDelimiter = false

    @Option(
        help: ArgumentHelp(
            "reject, keep them in place like comments, or skip them. Default: reject, but keep those after the last "
                + "record.",
            valueName: "how"),
        completion: Dialect.BlankLines.completion)
    var blankLines: String?

    @Option(
        help: ArgumentHelp(
            "lf: LF and CR LF end records, and a bare CR is data; cr: a bare CR also ends records. Default: the end of "
                + "the first line.",
            valueName: "word"),
        completion: Dialect.LineTerminator.completion)
    var lineTerminator: String?

    func validate() throws {
        if let delimiter {
            var dialect = Dialect()
            if !dialect.setDelimiter(delimiter) {
                throw ArgumentParser.ValidationError(
                    "--delimiter takes one or two ASCII characters, tab or space, not '\(printable(delimiter))'.")
            }
        }
        for (text, option, _) in characters { _ = try Self.character(text, option) }
        if let skip, !(0...100_000).contains(skip) {
            throw ArgumentParser.ValidationError("--skip takes a number from 0 to 100000.")
        }
        try Dialect.BlankLines.check(blankLines, of: "--blank-lines")
        try Dialect.LineTerminator.check(lineTerminator, of: "--line-terminator")
    }

    /// Applies the given options to the dialect of the rules.
    func apply(to dialect: inout Dialect) throws {
        if let delimiter { _ = dialect.setDelimiter(delimiter) }
        for (text, option, part) in characters where text != nil {
            dialect[keyPath: part] = try Self.character(text, option)
        }
        if noHeader { dialect.header = false }
        if skipInitialSpace { dialect.skipInitialSpace = true }
        if trailingDelimiter { dialect.trailingDelimiter = true }
        if let lines = blankLines.flatMap(Dialect.BlankLines.init) {
            dialect.blankLines = lines
            dialect.rejectsLastBlankLines = lines == .reject
        }
        if let lineTerminator { dialect.lineTerminator = Dialect.LineTerminator(rawValue: lineTerminator) }
        if let skip { dialect.skip = skip }
    }

    /// The options with a character that may be none.
    private var characters: [(text: String?, option: String, part: WritableKeyPath<Dialect, UInt8?>)] {
        [(quote, "--quote", \.quoteChar), (escape, "--escape", \.escapeChar), (comment, "--comment", \.commentChar)]
    }

    private static func character(_ text: String?, _ option: String) throws -> UInt8? {
        guard let text, text != "none" else { return nil }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80, byte != 10, byte != 13 else {
            throw ArgumentParser.ValidationError("\(option) takes one ASCII character, not '\(printable(text))'.")
        }
        return byte
    }
}

extension Dialect.BlankLines: OptionWord {}

extension Dialect.LineTerminator: OptionWord {}
