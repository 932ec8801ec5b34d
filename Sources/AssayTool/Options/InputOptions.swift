import ArgumentParser
import AssayFiles
import AssayRules

/// How the bytes of an input are read. All commands that read a table have these options.
struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "csv, or jsonl for an object of JSON on each line. Default: as the name and the first bytes show.",
            valueName: "format"),
        completion: FormatOption.completion)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Such as windows-1252; auto guesses. Default: UTF-8, unless the bytes show UTF-16 or UTF-32.",
            valueName: "name"))
    var encoding: String?

    @Flag(help: "Read the file in the encoding that was named, even if it seems to be UTF-8.")
    var trustEncoding = false

    @Option(
        help: ArgumentHelp(
            "auto recognizes gzip and Zstandard by content, not by name; none reads the bytes as they are. Default: "
                + "auto.",
            valueName: "how"),
        completion: UnpackingMode.completion)
    var compression: String?

    func validate() throws {
        try FormatOption.check(format, of: "--format")
        try UnpackingMode.check(compression, of: "--compression")
    }

    /// Applies the given options to the dialect of the rules.
    func apply(to dialect: inout Dialect) {
        if let encoding { dialect.encoding = encoding }
        if trustEncoding { dialect.trustEncoding = true }
    }

    /// Whether to decompress compressed inputs.
    var unpacks: Bool { compression != UnpackingMode.none.rawValue }
}

enum FormatOption: String, OptionWord {
    case csv, jsonl
}

enum UnpackingMode: String, OptionWord {
    case auto, none
}
